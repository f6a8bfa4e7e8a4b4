package io.holdfast.core;

/**
 * A session as of the applied index at which it was looked at.
 *
 * @param session its id
 * @param label who it is, for people; may be empty
 * @param ttlNanos its TTL, in ns
 * @param remainingNanos what is left of its lease, in ns of lease time, ≥ 0
 * @param holds how many locks it holds
 * @param waits how many it waits for
 * @param metadata what else its client has said about it; may be empty
 */
public record SessionView(
        SessionId session, String label, long ttlNanos, long remainingNanos, int holds, int waits, String metadata) {
    /**
     * A session without metadata.
     *
     * @param session its id
     * @param label who it is, for people; may be empty
     * @param ttlNanos its TTL, in ns
     * @param remainingNanos what is left of its lease, in ns of lease time, ≥ 0
     * @param holds how many locks it holds
     * @param waits how many it waits for
     */
    public SessionView(SessionId session, String label, long ttlNanos, long remainingNanos, int holds, int waits) {
        this(session, label, ttlNanos, remainingNanos, holds, waits, "");
    }
}
