package io.holdfast.client;

import java.time.Duration;
import java.util.List;

/**
 * A lock that somebody holds or waits for, or that a lock-delay keeps, as the store saw it when it answered.
 *
 * @param name the lock
 * @param mode how it is held: {@code EXCLUSIVE}, {@code SHARED} or {@code SEMAPHORE}; {@code NONE} if nobody holds it at present
 * @param holders the first of those who hold it, in order of tokens
 * @param holderCount how many hold it in all
 * @param waiters the first of those who wait, in queue order
 * @param waiterCount how many wait in all
 * @param capacity of a semaphore, how many permits there are in all; otherwise 0
 * @param permitsOut of a semaphore, how many permits are out; otherwise 0
 * @param delayRemaining for how long yet nobody gets the lock, since a hold of it expired, in lease time
 */
public record LockInfo(
        String name,
        String mode,
        List<Holder> holders,
        int holderCount,
        List<Waiter> waiters,
        int waiterCount,
        int capacity,
        int permitsOut,
        Duration delayRemaining) {
    /** Copies the lists. */
    public LockInfo {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }
}
