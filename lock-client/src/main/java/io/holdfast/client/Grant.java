package io.holdfast.client;

import java.time.Duration;

/**
 * A lock in your hands, for as long as its deadline has not passed. Thread safe.
 *
 * <p>The deadline is counted on this process's monotonic clock from the moment at which the request was <em>sent</em>: {@code sent + TTL × (1 − drift)}. So it passes before the store can give the lock to anybody else, whatever the network did (given clock rates that differ by less than the drift).
 */
public final class Grant {
    private final Holder hold;
    private final Lease lease;

    Grant(Holder hold, Lease lease) {
        this.hold = hold;
        this.lease = lease;
    }

    /** A renewal was answered. An answer to an earlier sending than the last one changes nothing. */
    void renewed(ClientClock.Reading renewalSent, Duration newTtl) {
        lease.renewed(renewalSent, newTtl);
    }

    /**
     * Names the lock.
     *
     * @return its name
     */
    public String name() {
        return hold.name();
    }

    /**
     * Tells in whose name it is held.
     *
     * @return the owner of the one-shot lease, or the session
     */
    public Owner owner() {
        return hold.isSession() ? new Owner.Session(hold.owner()) : new Owner.OneShot(hold.owner());
    }

    /**
     * The fencing token: pass it to every resource that the lock protects.
     *
     * @return positive; greater than that of any earlier grant of the store
     */
    public long token() {
        return hold.token();
    }

    /**
     * The log index of the entry that granted the lock.
     *
     * @return positive
     */
    public long logIndex() {
        return hold.logIndex();
    }

    /**
     * On which terms the lock was granted.
     *
     * @return mode, value and lock-delay as of the grant: permits given back and values proclaimed since do not show
     */
    public Terms terms() {
        return hold.terms();
    }

    /**
     * The TTL of the lease.
     *
     * @return as the store has it
     */
    public Duration ttl() {
        return lease.ttl();
    }

    /**
     * When to stop believing.
     *
     * @return a moment in terms of {@link System#nanoTime()}
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

    /**
     * Tells whether the lock may be believed in now. Needs no network, and is never true after the deadline.
     *
     * @return false also if this machine seems to have been suspended since the last renewal was sent: the monotonic clock may have stood still meanwhile
     */
    public boolean isHeld() {
        return lease.isAlive();
    }

    /** When the request that was answered last was sent, in ns of the monotonic clock. */
    long sentNanos() {
        return lease.sentNanos();
    }
}
