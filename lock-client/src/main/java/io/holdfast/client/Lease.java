package io.holdfast.client;

import java.time.Duration;

/**
 * How long a lease may be believed in, by this process's own clock. Shared by all grants that live and die with it. Thread safe.
 *
 * <p>The deadline is counted from the moment at which the last answered request was <em>sent</em>: {@code sent + TTL × (1 − drift)}.
 */
final class Lease {
    /** How much further the wall clock may run than the monotonic one before a suspend is suspected. */
    private static final long SUSPEND_MILLIS = 1_000;

    /** The clocks when the last answered request was sent, and the TTL that it gave. */
    private record Term(ClientClock.Reading sent, Duration ttl) {
        long deadlineNanos(double drift) {
            return sent.nanos() + (long) (ttl.toNanos() * (1 - drift));
        }
    }

    private final double drift;
    private final ClientClock clock;

    // Renewals replace it, and only ever by a later one; both of its parts at once.
    private volatile Term term;

    Lease(double drift, ClientClock clock, ClientClock.Reading sent, Duration ttl) {
        this.drift = drift;
        this.clock = clock;
        this.term = new Term(sent, ttl);
    }

    /** A renewal was answered. An answer to an earlier sending than the last one changes nothing. */
    synchronized void renewed(ClientClock.Reading renewalSent, Duration newTtl) {
        Term next = new Term(renewalSent, newTtl);
        if (next.deadlineNanos(drift) - term.deadlineNanos(drift) >= 0) {
            term = next;
        }
    }

    Duration ttl() {
        return term.ttl;
    }

    long deadlineNanos() {
        return term.deadlineNanos(drift);
    }

    Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos() - clock.nanoTime()));
    }

    /** Whether it may be believed in now: not past its deadline, and not if this machine seems to have been suspended since the last renewal was sent. */
    boolean isAlive() {
        ClientClock.Reading now = clock.read();
        Term present = term;
        long monotonicMillis = (now.nanos() - present.sent.nanos()) / 1_000_000;
        boolean suspended = now.wallMillis() - present.sent.wallMillis() - monotonicMillis > SUSPEND_MILLIS;
        return !suspended && present.deadlineNanos(drift) - now.nanos() > 0;
    }

    /** When the request that was answered last was sent, in ns of the monotonic clock. */
    long sentNanos() {
        return term.sent.nanos();
    }
}
