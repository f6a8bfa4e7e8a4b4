package io.holdfast.core;

/**
 * That one waits for another.
 *
 * @param waiter who waits
 * @param waiterLabel who that is, for people; may be empty
 * @param name the lock for which it waits
 * @param blocker whom it waits for
 * @param blockerLabel who that is, for people; may be empty
 * @param isHolder whether that one holds the lock; otherwise it is ahead in the queue
 */
public record WaitEdge(
        Owner waiter, String waiterLabel, LockName name, Owner blocker, String blockerLabel, boolean isHolder) {
    static WaitEdge of(Lease waiter, LockName name, Lease blocker, boolean isHolder) {
        return new WaitEdge(waiter.owner(), waiter.label(), name, blocker.owner(), blocker.label(), isHolder);
    }
}
