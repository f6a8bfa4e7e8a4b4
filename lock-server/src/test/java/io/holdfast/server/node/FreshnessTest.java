package io.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.statemachine.ratis.Heard;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FreshnessTest {
    private long now = -5_000_000_000L;
    private Optional<Heard> heard = Optional.empty();
    private final Freshness freshness = new Freshness(() -> heard, () -> now);

    @Test
    void who_never_heard_that_it_was_current_does_not_know_its_age() {
        assertThat(freshness.ageMillis()).isEmpty();
        heard = behind(0);
        freshness.poll();
        assertThat(freshness.ageMillis()).isEmpty();
    }

    @Test
    void who_has_all_that_was_committed_is_as_old_as_what_it_heard() {
        heard = current(40);
        assertThat(freshness.ageMillis()).hasValue(40);
    }

    @Test
    void who_falls_behind_or_hears_nothing_grows_older_from_the_last_moment_at_which_it_was_current() {
        heard = current(0);
        freshness.poll();

        heard = behind(0);
        pass(300);
        assertThat(freshness.ageMillis()).hasValue(300);

        heard = Optional.empty();
        pass(500);
        assertThat(freshness.ageMillis()).hasValue(800);
    }

    @Test
    void what_is_heard_just_after_a_freeze_was_said_before_it_and_does_not_count() {
        heard = current(0);
        freshness.poll();
        now += Duration.ofSeconds(30).toNanos();

        assertThat(freshness.ageMillis()).hasValue(30_000);
        freshness.poll();
        assertThat(freshness.ageMillis()).hasValue(30_000);

        pass(600);
        assertThat(freshness.ageMillis()).hasValue(0);
    }

    private void pass(long millis) {
        now += Duration.ofMillis(millis).toNanos();
        freshness.poll();
    }

    private static Optional<Heard> current(long millisAgo) {
        return Optional.of(new Heard(millisAgo, 9, 9));
    }

    private static Optional<Heard> behind(long millisAgo) {
        return Optional.of(new Heard(millisAgo, 9, 8));
    }
}
