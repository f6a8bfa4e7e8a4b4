package io.holdfast.core;

import java.util.List;

/**
 * A lock as of the applied index at which it was looked at. A name that nobody holds or waits for, and that keeps no pause, has none.
 *
 * @param name the lock
 * @param holders who holds it, in order of tokens
 * @param waiters the first of those who wait, in queue order
 * @param waiterCount how many wait in all
 * @param delayRemainingNanos for how long yet nobody gets the lock, since a hold of it ended against its holder's will, in ns of lease time; 0 if that is not so
 */
public record LockView(
        LockName name, List<HoldView> holders, List<WaiterView> waiters, int waiterCount, long delayRemainingNanos) {
    /** Copies the lists. */
    public LockView {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    /**
     * A lock without a pause.
     *
     * @param name the lock
     * @param holders who holds it, in order of tokens
     * @param waiters the first of those who wait, in queue order
     * @param waiterCount how many wait in all
     */
    public LockView(LockName name, List<HoldView> holders, List<WaiterView> waiters, int waiterCount) {
        this(name, holders, waiters, waiterCount, 0);
    }
}
