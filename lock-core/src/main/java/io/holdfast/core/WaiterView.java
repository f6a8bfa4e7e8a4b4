package io.holdfast.core;

/**
 * A waiter as of the applied index at which it was looked at.
 *
 * @param owner who waits
 * @param label who that is, for people; may be empty
 * @param logIndex the index of the entry that queued it
 * @param waitedNanos since when, in ns of lease time, ≥ 0
 * @param waitRemainingNanos how long it will stay yet, in ns of lease time, ≥ 0; {@link Bounds#WAIT_FOREVER} without end
 * @param leaseRemainingNanos what is left of its lease unless it asks again, in ns of lease time, ≥ 0
 * @param terms on which terms it wants the lock
 */
public record WaiterView(
        Owner owner,
        String label,
        long logIndex,
        long waitedNanos,
        long waitRemainingNanos,
        long leaseRemainingNanos,
        Terms terms) {}
