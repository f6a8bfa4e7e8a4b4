package io.holdfast.client;

import java.util.List;

/**
 * Why one waits for a lock, as the store saw it when it answered.
 *
 * @param lock the lock with those who hold it, without those who wait
 * @param waiter who waits, and since when
 * @param place its place in the queue, 1 for the first
 * @param ahead the first of those ahead of it, in queue order
 * @param others the other locks that it waits for at the same time, as one set; it may be one of those that it has to wait for
 */
public record Wait(LockInfo lock, Waiter waiter, int place, List<Waiter> ahead, List<String> others) {
    /** Copies the lists. */
    public Wait {
        ahead = List.copyOf(ahead);
        others = List.copyOf(others);
    }
}
