package io.holdfast.server.proposer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class LeaseClockTest {
    private static final long GRACE = 1_000;
    private static final long STEP = 2_000;

    private long now = -500; // nanoTime may be negative

    private final LeaseClock clock = new LeaseClock(() -> now, 10_000, GRACE, STEP);

    @Test
    void it_stands_still_during_the_grace_and_runs_at_the_pace_of_the_monotonic_clock_after() {
        now += 999;
        assertThat(clock.stamp()).isEqualTo(10_000);
        now += 1;
        assertThat(clock.stamp()).isEqualTo(10_000);
        now += 700;
        assertThat(clock.stamp()).isEqualTo(10_700);
    }

    @Test
    void it_says_how_long_until_a_moment_grace_included() {
        assertThat(clock.nanosUntil(10_500)).isEqualTo(GRACE + 500);
        now += GRACE + 500;
        assertThat(clock.nanosUntil(10_500)).isZero();
        assertThat(clock.nanosUntil(Long.MAX_VALUE)).isGreaterThan(1L << 62);
    }

    @Property
    void whatever_stalls_it_never_falls_never_outruns_real_time_and_never_jumps_further_than_a_step(
            @ForAll List<@LongRange(min = 0, max = 5_000) Long> pauses) {
        now = Long.MAX_VALUE - 10_000; // and it may overflow
        LeaseClock running = new LeaseClock(() -> now, 0, 0, STEP);
        long last = running.stamp();
        long real = 0;
        for (long pause : pauses) {
            now += pause;
            real += pause;
            long stamp = running.stamp();
            assertThat(stamp - last).isBetween(0L, STEP);
            assertThat(stamp).isLessThanOrEqualTo(real);
            last = stamp;
        }
    }
}
