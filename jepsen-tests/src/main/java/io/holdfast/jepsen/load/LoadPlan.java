package io.holdfast.jepsen.load;

import java.time.Duration;
import java.util.List;

/**
 * What a load does.
 *
 * @param seed decides what each client does next; not when, which is up to the machine
 * @param clients how many
 * @param locks the locks they fight for
 * @param ttl of each lease
 */
public record LoadPlan(long seed, int clients, List<String> locks, Duration ttl) {
    /** Takes a copy. */
    public LoadPlan {
        locks = List.copyOf(locks);
    }
}
