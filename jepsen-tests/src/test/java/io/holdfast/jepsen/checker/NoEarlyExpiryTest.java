package io.holdfast.jepsen.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jepsen.history.Answer;
import org.junit.jupiter.api.Test;

class NoEarlyExpiryTest {
    private final NoEarlyExpiry checker = new NoEarlyExpiry();

    @Test
    void a_lock_that_passes_on_when_the_ttl_is_over_is_right() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .grantedAfterWaiting("B", 20, 100, 900, 1_000)
                .end();
        assertThat(checker.check(history).problems()).isEmpty();
        assertThat(checker.check(history).operations()).isEqualTo(2);
    }

    @Test
    void a_lock_that_passes_on_one_millisecond_early_is_wrong() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .grantedAfterWaiting("B", 20, 100, 900, 999)
                .end();
        assertThat(checker.check(history).problems()).singleElement().asString().contains("passed on 1000 us early");
    }

    @Test
    void the_ttl_counts_from_the_last_ask_of_a_waiter() {
        var story = new Story().grantedAfterWaiting("A", 10, 0, 700, 800);
        assertThat(checker.check(story.granted("B", 20, 1_500, 1_600).end()).valid())
                .isFalse();
    }

    @Test
    void the_ttl_counts_from_the_last_renewal_even_if_its_answer_came_late() {
        var story = new Story().granted("A", 10, 0, 5).renewed("A", 10, 600, 1_700);
        assertThat(checker.check(story.granted("B", 20, 1_500, 1_599).end()).valid())
                .isFalse();
    }

    @Test
    void a_release_may_pass_the_lock_on_at_once() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .release("A", 10, 50, 500, Answer.UNKNOWN)
                .granted("B", 20, 40, 51)
                .end();
        assertThat(checker.check(history).problems()).isEmpty();
    }

    @Test
    void a_client_that_died_is_owed_nothing_less() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .forgot("A", 10, 600)
                .granted("B", 20, 300, 500)
                .end();
        assertThat(checker.check(history).valid()).isFalse();
    }

    @Test
    void a_renewal_that_is_refused_within_the_ttl_is_wrong() {
        var story = new Story().granted("A", 10, 0, 5);
        assertThat(checker.check(story.renewal("A", 10, 990, 1_001, Answer.NO).end())
                        .valid())
                .isTrue();
        assertThat(checker.check(story.renewal("A", 10, 300, 310, Answer.NO).end())
                        .problems())
                .singleElement()
                .asString()
                .contains("gone early");
    }

    @Test
    void a_renewal_that_found_no_leader_says_nothing() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .renewal("A", 10, 300, 310, Answer.FAILED)
                .end();
        assertThat(checker.check(history).valid()).isTrue();
    }

    @Test
    void a_first_release_that_is_refused_within_the_ttl_is_wrong() {
        var story = new Story().granted("A", 10, 0, 5).release("A", 10, 300, 310, Answer.YES);
        assertThat(checker.check(story.release("A", 10, 320, 330, Answer.NO).end())
                        .valid())
                .as("a second release finds nothing")
                .isTrue();
        var lost = new Story().granted("A", 10, 0, 5).release("A", 10, 300, 310, Answer.NO);
        assertThat(checker.check(lost.end()).valid()).isFalse();
    }
}
