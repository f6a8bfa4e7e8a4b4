package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LeaseTimesTest {
    @ParameterizedTest
    @ValueSource(longs = {100, 150, 1_000, 2_000, 10_000, 60_000, 86_400_000})
    void all_comes_in_order_and_before_the_deadline_for_every_ttl(long ttlMillis) {
        Duration ttl = Duration.ofMillis(ttlMillis);
        long sent = 5_000_000_000L;
        long deadline = sent + (long) (ttl.toNanos() * 0.99);

        LeaseTimes times = LeaseTimes.before(deadline, ttl, LeaseTimes.usualGrace(ttl));

        assertThat(times.termAt()).isGreaterThan(sent + ttl.toNanos() / 2);
        assertThat(times.wardenTermAt()).isGreaterThan(times.termAt());
        assertThat(times.killAt()).isGreaterThan(times.wardenTermAt());
        assertThat(times.wardenKillAt()).isGreaterThan(times.killAt());
        assertThat(times.wardenKillAt()).isLessThanOrEqualTo(deadline - 10_000_000);
    }

    @Test
    void the_longest_grace_leaves_time_for_a_second_try_to_renew() {
        Duration ttl = Duration.ofSeconds(3);

        LeaseTimes times = LeaseTimes.before(ttl.toNanos(), ttl, LeaseTimes.longestGrace(ttl));

        assertThat(times.termAt())
                .isGreaterThan(ttl.toNanos() / 3 + Duration.ofMillis(500).toNanos());
    }
}
