package io.holdfast.client;

import java.util.List;

/**
 * A lock that somebody holds, as the store saw it when it answered.
 *
 * @param name the lock
 * @param mode how it is held: {@code EXCLUSIVE}
 * @param holders who holds it
 * @param waiters the first of those who wait, in queue order
 * @param waiterCount how many wait in all
 */
public record LockInfo(String name, String mode, List<Holder> holders, List<Waiter> waiters, int waiterCount) {
    /** Copies the lists. */
    public LockInfo {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }
}
