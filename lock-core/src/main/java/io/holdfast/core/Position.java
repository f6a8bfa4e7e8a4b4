package io.holdfast.core;

/**
 * Where an entry stands in the log, and when its leader made it.
 *
 * @param index its log index, ≥ 1 and greater than that of any entry before; indexes have gaps
 * @param leaseTimeNanos the lease time that the leader stamped on it, in ns since the cluster began, ≥ 0
 */
public record Position(long index, long leaseTimeNanos) {
    /** Refuses an index below 1 and a negative time. */
    public Position {
        if (index < 1 || leaseTimeNanos < 0) {
            throw new IllegalArgumentException("index " + index + ", lease time " + leaseTimeNanos);
        }
    }
}
