package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BootClockTest {
    private static final long SECOND = 1_000_000_000L;

    private long monotonic;
    private long suspended = 100 * SECOND;

    private final BootClock clock = new BootClock(() -> monotonic, () -> BootClock.hundredths(monotonic + suspended));

    @Test
    void a_suspend_counts() {
        monotonic += SECOND;
        assertThat(clock.now()).isEqualTo(101 * SECOND);

        suspended += 3_600 * SECOND;

        assertThat(clock.now()).isEqualTo(3_701 * SECOND);
    }

    @Test
    void a_deadline_counted_from_before_a_suspend_does_not_move_with_it() {
        long sent = monotonic;
        suspended += 60 * SECOND;
        monotonic += SECOND;
        long now = clock.now();

        assertThat(clock.at(sent + 10 * SECOND, sent)).isEqualTo(110 * SECOND).isLessThan(now);
    }

    @Test
    void a_deadline_counted_from_after_a_suspend_is_the_full_one() {
        suspended += 60 * SECOND;
        monotonic += SECOND;
        long now = clock.now();
        long sent = monotonic;

        assertThat(clock.at(sent + 10 * SECOND, sent)).isEqualTo(now + 10 * SECOND);
    }

    @Test
    void a_deadline_is_never_late_by_the_coarseness_of_the_uptime() {
        monotonic = 7_654_321;
        BootClock coarse = new BootClock(() -> monotonic, () -> BootClock.hundredths(monotonic));

        assertThat(coarse.at(monotonic + SECOND, monotonic)).isLessThanOrEqualTo(monotonic + SECOND);
    }

    @Test
    void without_an_uptime_it_is_the_monotonic_clock() {
        BootClock plain = new BootClock(() -> monotonic, () -> {
            throw new IOException("no /proc/uptime");
        });
        monotonic += Duration.ofSeconds(5).toNanos();

        assertThat(plain.now()).isEqualTo(monotonic);
        assertThat(plain.at(17, 3)).isEqualTo(17);
    }
}
