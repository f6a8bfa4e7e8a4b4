package io.holdfast.client;

import java.time.Duration;

/**
 * A session that is renewed until this is closed. Thread safe.
 *
 * <p>All that the session holds lives and dies with it: ask {@link #isAlive} here, not {@link Grant#isHeld}, which knows of its own request only.
 */
public final class SessionKeepAlive implements AutoCloseable {
    private final String id;
    private final Lease lease;
    private final SessionListener listener;
    private final SessionKeeper keeper;

    // Written by whoever is first to end it.
    private volatile boolean isOver;

    SessionKeepAlive(String id, Lease lease, SessionListener listener, SessionKeeper keeper) {
        this.id = id;
        this.lease = lease;
        this.listener = listener;
        this.keeper = keeper;
    }

    /**
     * Names the session.
     *
     * @return 32 hexadecimal digits
     */
    public String id() {
        return id;
    }

    /**
     * Tells whether the session, and what it holds, may be believed in now. Needs no network, and is never true after the deadline.
     *
     * @return false also if this machine seems to have been suspended since the last renewal was sent
     */
    public boolean isAlive() {
        return !isOver && lease.isAlive();
    }

    /**
     * When to stop believing.
     *
     * @return a moment in terms of {@link System#nanoTime()}; renewals move it
     */
    public long deadlineNanos() {
        return lease.deadlineNanos();
    }

    /**
     * What is left until the deadline.
     *
     * @return zero if it has passed
     */
    public Duration remaining() {
        return lease.remaining();
    }

    /** Stops renewing. The session lives until it is closed or its lease runs out. */
    @Override
    public void close() {
        isOver = true;
        keeper.forget(this);
    }

    Lease lease() {
        return lease;
    }

    /** Ends it, and tells why; once. */
    void lose(String reason) {
        if (!isOver) {
            isOver = true;
            listener.lost(id, reason);
        }
    }
}
