package io.holdfast.client;

/**
 * What happened to a lock or a session. What a kind of event does not tell is 0 or empty.
 *
 * @param logIndex the log index of the entry that brought it about
 * @param number which of the entry's events it is, from 0
 * @param leaseTimeNanos the lease time of the entry, in ns
 * @param kind what happened
 * @param name the lock; empty if it is about a session
 * @param owner who holds, held, waits or waited, or the session
 * @param isSession whether the owner is a session; then {@code owner} is its id, 32 hexadecimal digits
 * @param ownerLabel who that is, for people
 * @param token the token of the hold
 * @param tokenBefore with CONVERTED and HANDED_OFF: the token until then, dead from this index on
 * @param mode with ACQUIRED, CONVERTED, HANDED_OFF and QUEUED: {@code EXCLUSIVE}, {@code SHARED} or {@code SEMAPHORE}
 * @param value with ACQUIRED, HANDED_OFF and VALUE_CHANGED: what the holder publishes
 * @param permits of a semaphore: how many permits were acquired, queued for or given back
 * @param permitsLeft with PERMITS_RELEASED: how many the holder has yet
 * @param left with LEFT_QUEUE: {@code TIMED_OUT}, {@code GAVE_UP}, {@code EXPIRED} or {@code RELEASED}
 * @param ownerBefore with HANDED_OFF: who held it until then
 * @param reason with REVOKING: why, for people
 * @param by with REVOKING: who revokes it, for people
 */
public record LockEvent(
        long logIndex,
        int number,
        long leaseTimeNanos,
        Kind kind,
        String name,
        String owner,
        boolean isSession,
        String ownerLabel,
        long token,
        long tokenBefore,
        String mode,
        String value,
        int permits,
        int permitsLeft,
        String left,
        String ownerBefore,
        String reason,
        String by) {
    /** What may happen. */
    public enum Kind {
        /** Somebody got the lock. */
        ACQUIRED,
        /** The holder gave it back, or closed its session. */
        RELEASED,
        /** The holder's lease ran out. */
        EXPIRED,
        /** It was taken from the holder. */
        REVOKED,
        /** It will be taken from the holder. */
        REVOKING,
        /** The holder passed it to somebody, with no gap in between. */
        HANDED_OFF,
        /** The hold is exclusive now, or shared, with no gap in between. */
        CONVERTED,
        /** The holder gave back some of its permits, and keeps the others. */
        PERMITS_RELEASED,
        /** The holder publishes another value. */
        VALUE_CHANGED,
        /** Somebody waits for it. */
        QUEUED,
        /** Somebody waits no more, and did not get it. */
        LEFT_QUEUE,
        /** A session was opened. */
        SESSION_OPENED,
        /** A session was closed. */
        SESSION_CLOSED,
        /** A session's lease ran out. */
        SESSION_EXPIRED,
        /** Something that this version of the client does not know. */
        OTHER
    }
}
