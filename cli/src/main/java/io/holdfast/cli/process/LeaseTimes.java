package io.holdfast.cli.process;

import java.time.Duration;

/**
 * When a command whose lease cannot be renewed is told to stop, and when it is killed: all before the client's own deadline, so before the store can give the lock to anybody else.
 *
 * <p>Moments are ns on the {@link BootClock}. The warden acts a little after the holdfast process would, in case that is frozen.
 *
 * @param termAt SIGTERM
 * @param wardenTermAt SIGTERM by the warden
 * @param killAt SIGKILL
 * @param wardenKillAt SIGKILL by the warden
 * @param deadline from here on the lease may be somebody else's
 */
record LeaseTimes(long termAt, long wardenTermAt, long killAt, long wardenKillAt, long deadline) {
    // A killed process is gone within a few ms on a healthy machine; the rest is for a busy one.
    private static final Duration MARGIN_MIN = Duration.ofMillis(30);
    private static final Duration MARGIN_MAX = Duration.ofSeconds(1);
    private static final Duration GRACE_MIN = Duration.ofMillis(10);
    private static final Duration GRACE_MAX = Duration.ofSeconds(5);

    static LeaseTimes before(long deadline, Duration ttl, Duration grace) {
        long margin = clamp(ttl.dividedBy(10), MARGIN_MIN, MARGIN_MAX);
        long killAt = deadline - margin;
        long termAt = killAt - grace.toNanos();
        return new LeaseTimes(termAt, termAt + grace.toNanos() / 2, killAt, killAt + margin / 3, deadline);
    }

    /** How long a command has between SIGTERM and SIGKILL unless told otherwise. */
    static Duration usualGrace(Duration ttl) {
        return Duration.ofNanos(clamp(ttl.dividedBy(10), GRACE_MIN, GRACE_MAX));
    }

    /** Renewing starts at a third of the TTL and needs time for a second try. */
    static Duration longestGrace(Duration ttl) {
        return ttl.dividedBy(3);
    }

    private static long clamp(Duration value, Duration least, Duration most) {
        return Math.clamp(value.toNanos(), least.toNanos(), most.toNanos());
    }
}
