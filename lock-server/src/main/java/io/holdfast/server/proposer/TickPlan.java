package io.holdfast.server.proposer;

import io.holdfast.core.LockTable;
import java.util.OptionalLong;

/**
 * When the next tick is due, as of the last entry applied.
 *
 * @param hasLeases whether any lease lives: without one nothing ticks
 * @param nextDeadlineNanos the lease time at which the next lease or wait ends; {@link Long#MAX_VALUE} if none will
 */
record TickPlan(boolean hasLeases, long nextDeadlineNanos) {
    /** Nothing to tick for. */
    static final TickPlan IDLE = new TickPlan(false, Long.MAX_VALUE);

    static TickPlan of(LockTable table) {
        OptionalLong next = table.nextDeadlineNanos();
        return new TickPlan(table.leaseCount() > 0, next.orElse(Long.MAX_VALUE));
    }

    /**
     * How long until a tick is due: when a deadline passes, and at least every interval while any lease lives, so that a leader change forgets at most that much.
     *
     * @param clock the leader's clock
     * @param maxIntervalNanos the interval, in ns
     * @return ns of the monotonic clock; 0 if it is due; {@link Long#MAX_VALUE} if none will be
     */
    long nanosUntilTick(LeaseClock clock, long maxIntervalNanos) {
        if (!hasLeases) {
            return Long.MAX_VALUE;
        }
        long untilInterval = maxIntervalNanos - clock.sinceStampNanos();
        return Math.max(0, Math.min(untilInterval, clock.nanosUntil(nextDeadlineNanos)));
    }
}
