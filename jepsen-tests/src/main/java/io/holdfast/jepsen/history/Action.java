package io.holdfast.jepsen.history;

/** What a client did. */
public enum Action {
    /** Asked for a lock. */
    ACQUIRE,
    /** Asked for more time. */
    RENEW,
    /** Gave the lock back. From the call on, the client does not believe in it any more. */
    RELEASE,
    /** Stopped believing in the lock by itself: died, or was told that it is lost. Not a call; takes no time. */
    FORGET
}
