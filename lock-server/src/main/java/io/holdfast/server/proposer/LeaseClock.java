package io.holdfast.server.proposer;

import java.util.function.LongSupplier;

/**
 * The leader's half of lease time (DESIGN §2): turns the nanoseconds of its own monotonic clock into stamps for entries.
 *
 * <p>Running slow is always safe, running fast never (invariant I3). So it starts only after a grace, forgets whatever a stall adds beyond a step, and is thrown away with the leadership. Owned by the proposer's thread.
 */
final class LeaseClock {
    private final LongSupplier nanoTime;
    private final long maxStepNanos;
    private long stampNanos;
    private long stampedAt;

    /**
     * Starts a clock for a new leadership.
     *
     * @param nanoTime the monotonic clock, in ns
     * @param baseNanos lease time in the state once all entries of earlier terms are applied, in ns
     * @param graceNanos how long lease time stands still first, so that holders find the new leader, in ns
     * @param maxStepNanos most that lease time may advance between two stamps, in ns
     */
    LeaseClock(LongSupplier nanoTime, long baseNanos, long graceNanos, long maxStepNanos) {
        this.nanoTime = nanoTime;
        this.maxStepNanos = maxStepNanos;
        this.stampNanos = baseNanos;
        this.stampedAt = nanoTime.getAsLong() + graceNanos;
    }

    /**
     * Lease time now, for an entry about to be appended. What a stall added beyond the step is forgotten for good: a leader that was frozen must not expire everybody at one go.
     *
     * @return lease time, in ns; never falls
     */
    long stamp() {
        long now = nanoTime.getAsLong();
        long elapsed = now - stampedAt;
        if (elapsed > 0) {
            stampNanos += Math.min(elapsed, maxStepNanos);
            stampedAt = now;
        }
        return stampNanos;
    }

    /**
     * How long until lease time reaches a moment, if nothing stalls.
     *
     * @param leaseTimeNanos the moment
     * @return ns of the monotonic clock; 0 if it has passed
     */
    long nanosUntil(long leaseTimeNanos) {
        return Math.max(0, leaseTimeNanos - stampNanos - (nanoTime.getAsLong() - stampedAt));
    }

    /** {@return how long ago the last stamp was taken, in ns; negative within the grace} */
    long sinceStampNanos() {
        return nanoTime.getAsLong() - stampedAt;
    }
}
