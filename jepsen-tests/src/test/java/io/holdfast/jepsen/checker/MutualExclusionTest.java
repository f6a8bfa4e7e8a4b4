package io.holdfast.jepsen.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jepsen.history.Answer;
import org.junit.jupiter.api.Test;

class MutualExclusionTest {
    private final MutualExclusion checker = new MutualExclusion();

    @Test
    void one_after_the_other_is_right() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .released("A", 10, 400, 420)
                .grantedAfterWaiting("B", 20, 50, 300, 410)
                .granted("C", 30, 1_300, 1_400)
                .end();
        assertThat(checker.check(history).problems()).isEmpty();
        assertThat(checker.check(history).operations()).isEqualTo(3);
    }

    @Test
    void a_grant_after_the_holders_own_deadline_is_right() {
        var history =
                new Story().granted("A", 10, 0, 5).granted("B", 20, 900, 990).end();
        assertThat(checker.check(history).problems()).isEmpty();
    }

    @Test
    void a_grant_before_the_holders_own_deadline_is_wrong() {
        var history =
                new Story().granted("A", 10, 0, 5).granted("B", 20, 900, 989).end();
        assertThat(checker.check(history).problems())
                .singleElement()
                .asString()
                .contains("believed in orders/42 for 1000 us");
    }

    @Test
    void a_renewal_makes_the_belief_longer() {
        var story = new Story().granted("A", 10, 0, 5).renewed("A", 10, 500, 510);
        assertThat(checker.check(story.granted("B", 20, 1_400, 1_489).end()).valid())
                .isFalse();
    }

    @Test
    void a_renewal_whose_answer_came_after_the_deadline_brings_the_belief_back_only_then() {
        var story = new Story().granted("A", 10, 0, 5).renewed("A", 10, 500, 1_200);
        assertThat(checker.check(story.end()).valid()).isTrue();
        assertThat(checker.check(story.granted("B", 20, 1_000, 1_100).end()).valid())
                .as("B holds until 1 990, A believes again from 1 200")
                .isFalse();
    }

    @Test
    void a_failed_renewal_makes_nothing_longer() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .renewal("A", 10, 500, 510, Answer.UNKNOWN)
                .granted("B", 20, 1_000, 1_001)
                .end();
        assertThat(checker.check(history).problems()).isEmpty();
    }

    @Test
    void who_called_release_does_not_believe_any_more_even_if_the_call_failed() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .release("A", 10, 300, 900, Answer.UNKNOWN)
                .grantedAfterWaiting("B", 20, 100, 250, 310)
                .end();
        assertThat(checker.check(history).problems()).isEmpty();
    }

    @Test
    void who_forgot_does_not_believe_any_more() {
        var story = new Story().granted("A", 10, 0, 5).forgot("A", 10, 300);
        assertThat(checker.check(story.granted("B", 20, 290, 310).end()).valid())
                .isTrue();
        assertThat(checker.check(story.granted("C", 30, 290, 320).end()).valid())
                .as("C and B")
                .isFalse();
    }

    @Test
    void an_overlap_with_a_hold_before_the_last_is_seen_too() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .granted("B", 20, 995, 1_000)
                .released("B", 20, 1_010, 1_012)
                .granted("C", 30, 1_015, 1_020)
                .renewed("A", 10, 900, 1_030)
                .end();
        assertThat(checker.check(history).valid()).isFalse();
    }
}
