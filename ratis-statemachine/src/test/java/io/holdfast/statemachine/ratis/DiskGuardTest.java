package io.holdfast.statemachine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskGuardTest {
    @TempDir
    Path folder;

    private long nanos = 42;

    @Test
    void a_disk_with_less_than_the_reserve_is_low() {
        assertThat(guard(0).look(1, 1).isBad()).isFalse();
        DiskState full = guard(Long.MAX_VALUE).look(1, 1);
        assertThat(full.isLow()).isTrue();
        assertThat(full.isStalled()).isFalse();
        assertThat(full.usableBytes()).isPositive();
    }

    @Test
    void a_disk_is_stalled_when_the_log_waits_for_seconds_and_gets_no_further() {
        DiskGuard guard = guard(0);
        guard.look(10, 10);
        nanos += 60_000_000_000L; // an idle log waits for nothing
        assertThat(guard.look(10, 10).isStalled()).isFalse();
        guard.look(12, 10);
        nanos += 4_000_000_000L;
        assertThat(guard.look(12, 10).isStalled()).isFalse();
        assertThat(guard.look(12, 11).isStalled()).isFalse(); // slow, but it goes on
        nanos += 4_999_999_999L;
        assertThat(guard.look(13, 11).isStalled()).isFalse();
        nanos += 1;
        assertThat(guard.look(13, 11).stalled()).isEqualTo(Duration.ofSeconds(5));
        assertThat(guard.look(13, 11).isStalled()).isTrue();
        assertThat(guard.look(13, 13).isStalled()).isFalse();
    }

    @Test
    void leadership_is_not_passed_round_and_round() {
        DiskGuard good = guard(0);
        good.look(1, 1);
        assertThat(good.shouldHandOver()).isFalse();

        DiskGuard bad = guard(Long.MAX_VALUE);
        bad.look(1, 1);
        assertThat(bad.shouldHandOver()).isTrue();
        assertThat(bad.shouldHandOver()).isFalse();
        nanos += 59_999_999_999L;
        assertThat(bad.shouldHandOver()).isFalse();
        nanos += 1;
        assertThat(bad.shouldHandOver()).isTrue();
    }

    private DiskGuard guard(long reserveBytes) {
        return new DiskGuard(folder, reserveBytes, () -> nanos);
    }
}
