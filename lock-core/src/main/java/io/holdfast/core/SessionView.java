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
 */
public record SessionView(SessionId session, String label, long ttlNanos, long remainingNanos, int holds, int waits) {}
