package io.holdfast.core;

import java.util.List;

/**
 * A lock as of the applied index at which it was looked at. A name that nobody holds or waits for has none.
 *
 * @param name the lock
 * @param holders who holds it, in order of tokens
 * @param waiters the first of those who wait, in queue order
 * @param waiterCount how many wait in all
 */
public record LockView(LockName name, List<HoldView> holders, List<WaiterView> waiters, int waiterCount) {
    /** Copies the lists. */
    public LockView {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }
}
