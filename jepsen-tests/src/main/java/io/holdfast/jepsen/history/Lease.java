package io.holdfast.jepsen.history;

/**
 * What a client was granted.
 *
 * @param token the fencing token
 * @param ttlNanos the TTL
 * @param sentNanos when the client sent the ask that was answered with the grant
 * @param deadlineNanos until when the client believes in it
 */
public record Lease(long token, long ttlNanos, long sentNanos, long deadlineNanos) {
    /** {@return the first moment at which the store may take it away} */
    public long earliestEndNanos() {
        return sentNanos + ttlNanos;
    }
}
