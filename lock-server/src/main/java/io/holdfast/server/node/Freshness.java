package io.holdfast.server.node;

import io.holdfast.statemachine.ratis.Heard;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Since when, at the latest, this node's state has been the newest: for reads that do without the leader. Thread safe.
 *
 * <p>It goes by what Raft hears, so it proves nothing: who is cut off together with an old leader hears from that one, until it steps down.
 */
final class Freshness {
    /** Longer than this between two polls, and the process stood still: what it hears just afterwards was said before. */
    private static final long STALL_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long RECOVERY_NANOS = Duration.ofMillis(500).toNanos();

    private final Supplier<Optional<Heard>> hearing;
    private final LongSupplier nanoTime;

    // All guarded by this object's monitor, which nobody else can see: the timer polls, readers ask.
    private long polledAt;
    private long trustedFrom;
    private OptionalLong currentAt = OptionalLong.empty();

    /**
     * Has heard nothing yet.
     *
     * @param hearing what Raft last heard; empty if it knows no leader
     * @param nanoTime the monotonic clock, in ns
     */
    Freshness(Supplier<Optional<Heard>> hearing, LongSupplier nanoTime) {
        this.hearing = hearing;
        this.nanoTime = nanoTime;
        this.polledAt = nanoTime.getAsLong();
        this.trustedFrom = polledAt;
    }

    /** Looks, so that a moment at which the state was the newest is remembered. To be called every 250 ms or so. */
    synchronized void poll() {
        long now = nanoTime.getAsLong();
        if (isStalled(now)) {
            trustedFrom = now + RECOVERY_NANOS;
        }
        polledAt = now;
        look(now);
    }

    /**
     * Tells how old the state may be that is read after this call.
     *
     * @return ms since it was certainly the newest, as far as this node has heard; empty if it never was in this run
     */
    synchronized OptionalLong ageMillis() {
        long now = nanoTime.getAsLong();
        look(now);
        return currentAt.isPresent()
                ? OptionalLong.of(Math.max(
                        0, Duration.ofNanos(now - currentAt.getAsLong()).toMillis()))
                : OptionalLong.empty();
    }

    private void look(long now) {
        if (isStalled(now) || now - trustedFrom < 0) {
            return;
        }
        hearing.get().filter(Heard::isCaughtUp).ifPresent(heard -> {
            long at = now - Duration.ofMillis(heard.millisAgo()).toNanos();
            if (currentAt.isEmpty() || at - currentAt.getAsLong() > 0) {
                currentAt = OptionalLong.of(at);
            }
        });
    }

    private boolean isStalled(long now) {
        return now - polledAt > STALL_NANOS;
    }
}
