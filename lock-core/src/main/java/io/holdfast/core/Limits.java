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
 * @param sessions most sessions of the store
 * @param locks most names that anybody holds, waits for or keeps a pause of
 * @param locksPerNamespace most of these in one namespace: of names whose first segments, up to the first {@code /}, are the same
 * @param locksPerSet most locks that are asked for as one, up to {@link Bounds#MAX_SET}
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
        long eventBytes,
        int sessions,
        int locks,
        int locksPerNamespace,
        int locksPerSet) {
    private static final int MANY = 4_000_000;

    /** What every node uses. */
    public static final Limits DEFAULT =
            new Limits(MANY, 131_072, 16_384, 1_024, 262_144, 60_000_000_000L, 4_096, 65_536, 64L << 20);

    /**
     * Bounds of leases, memory and batches; the others are as wide as can be.
     *
     * @param leases most sessions and one-shot leases together
     * @param waitersPerLock most waiters in one queue
     * @param locksPerSession most locks that one session holds or waits for
     * @param openRequestsPerSession most answers that a session's client has not said to have seen
     * @param finishedRequests most finished requests remembered by id
     * @param dedupeWindowNanos how long a finished request is remembered by id, in ns of lease time
     * @param expiryBatch most leases and waits that one entry expires by sweeping
     * @param events most events remembered
     * @param eventBytes about how many bytes of memory the remembered events take at most
     */
    public Limits(
            int leases,
            int waitersPerLock,
            int locksPerSession,
            int openRequestsPerSession,
            int finishedRequests,
            long dedupeWindowNanos,
            int expiryBatch,
            int events,
            long eventBytes) {
        this(
                leases,
                waitersPerLock,
                locksPerSession,
                openRequestsPerSession,
                finishedRequests,
                dedupeWindowNanos,
                expiryBatch,
                events,
                eventBytes,
                MANY,
                MANY,
                MANY,
                Bounds.MAX_SET);
    }

    /**
     * The same with other bounds of sessions and locks.
     *
     * @param mostSessions as {@link #sessions}
     * @param mostLocks as {@link #locks}
     * @param mostPerNamespace as {@link #locksPerNamespace}
     * @param mostPerSet as {@link #locksPerSet}
     * @return new limits
     */
    public Limits with(int mostSessions, int mostLocks, int mostPerNamespace, int mostPerSet) {
        return new Limits(
                leases,
                waitersPerLock,
                locksPerSession,
                openRequestsPerSession,
                finishedRequests,
                dedupeWindowNanos,
                expiryBatch,
                events,
                eventBytes,
                mostSessions,
                mostLocks,
                mostPerNamespace,
                mostPerSet);
    }
}
