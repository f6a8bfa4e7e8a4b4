package io.holdfast.core;

/** How a hold, a wait or a session ended. */
public enum End {
    /** The holder gave the lock back, or closed its session. */
    RELEASED,
    /** The lease ran out. */
    EXPIRED,
    /** The waiter's wait deadline passed. */
    TIMED_OUT,
    /** The waiter gave up. */
    GAVE_UP,
    /** The hold goes on in another mode, with another token. */
    CONVERTED,
    /** The holder passed the lock on. */
    HANDED_OFF,
    /** The lock was taken from the holder. */
    REVOKED
}
