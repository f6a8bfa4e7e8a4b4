package io.holdfast.core;

/**
 * The bounds of a store. They decide outcomes, so they must be the same on every node.
 *
 * @param leases most sessions and one-shot leases together
 * @param waitersPerLock most waiters in one queue
 * @param locksPerSession most locks that one session holds or waits for
 * @param openRequestsPerSession most answers that a session's client has not said to have seen
 * @param finishedRequests most finished requests remembered by id; beyond it the oldest are forgotten and requests issued before that are refused
 * @param dedupeWindowNanos how long a finished request is remembered by id, in ns of lease time
 * @param expiryBatch most leases and waits that one entry expires by sweeping; the leader follows up with the next
 * @param events most events remembered; beyond it the oldest are forgotten
 * @param eventBytes about how many bytes of memory the remembered events take at most, but for the latest
 */
public record Limits(
        int leases,
        int waitersPerLock,
        int locksPerSession,
        int openRequestsPerSession,
        int finishedRequests,
        long dedupeWindowNanos,
        int expiryBatch,
        int events,
        long eventBytes) {
    /** What every node uses. */
    public static final Limits DEFAULT =
            new Limits(4_000_000, 131_072, 16_384, 1_024, 262_144, 60_000_000_000L, 4_096, 65_536, 64L << 20);
}
