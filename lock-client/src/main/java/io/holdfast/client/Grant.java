package io.holdfast.client;

import java.time.Duration;

/**
 * A lock in your hands, for as long as its deadline has not passed. Thread safe.
 *
 * <p>The deadline is counted on this process's monotonic clock from the moment at which the request was <em>sent</em>: {@code sent + TTL × (1 − drift)}. So it passes before the store can give the lock to anybody else, whatever the network did (given clock rates that differ by less than the drift).
 */
public final class Grant {
    /** How much further the wall clock may run than the monotonic one before a suspend is suspected. */
    private static final long SUSPEND_MILLIS = 1_000;

    private final Holder hold;
    private final double drift;
    private final ClientClock clock;

    // The clocks when the last answered request was sent. Renewals replace it.
    private volatile ClientClock.Reading sent;
    private volatile Duration ttl;

    Grant(Holder hold, double drift, ClientClock clock, ClientClock.Reading sent) {
        this.hold = hold;
        this.drift = drift;
        this.clock = clock;
        this.sent = sent;
        this.ttl = hold.ttl();
    }

    /** A renewal was answered. An answer to an earlier sending than the last one changes nothing. */
    void renewed(ClientClock.Reading renewalSent, Duration newTtl) {
        long before = deadlineNanos();
        ClientClock.Reading old = sent;
        Duration oldTtl = ttl;
        sent = renewalSent;
        ttl = newTtl;
        if (deadlineNanos() - before < 0) {
            sent = old;
            ttl = oldTtl;
        }
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
     * The TTL of the lease.
     *
     * @return as the store has it
     */
    public Duration ttl() {
        return ttl;
    }

    /**
     * When to stop believing.
     *
     * @return a moment in terms of {@link System#nanoTime()}
     */
    public long deadlineNanos() {
        return sent.nanos() + (long) (ttl.toNanos() * (1 - drift));
    }

    /**
     * What is left until the deadline.
     *
     * @return zero if it has passed
     */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos() - clock.nanoTime()));
    }

    /**
     * Tells whether the lock may be believed in now. Needs no network, and is never true after the deadline.
     *
     * @return false also if this machine seems to have been suspended since the last renewal was sent: the monotonic clock may have stood still meanwhile
     */
    public boolean isHeld() {
        ClientClock.Reading now = clock.read();
        ClientClock.Reading since = sent;
        long monotonicMillis = (now.nanos() - since.nanos()) / 1_000_000;
        boolean suspended = now.wallMillis() - since.wallMillis() - monotonicMillis > SUSPEND_MILLIS;
        return !suspended && deadlineNanos() - now.nanos() > 0;
    }

    /** When the request that was answered last was sent, in ns of the monotonic clock. */
    long sentNanos() {
        return sent.nanos();
    }
}
