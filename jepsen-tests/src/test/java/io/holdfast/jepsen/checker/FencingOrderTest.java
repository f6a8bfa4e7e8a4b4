package io.holdfast.jepsen.checker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FencingOrderTest {
    private final FencingOrder checker = new FencingOrder();

    @Test
    void growing_tokens_are_right() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .released("A", 10, 6, 8)
                .granted("B", 20, 9, 12)
                .renewed("B", 20, 300, 303)
                .end();
        assertThat(checker.check(history).problems()).isEmpty();
        assertThat(checker.check(history).operations()).isEqualTo(2);
    }

    @Test
    void concurrent_asks_may_be_granted_in_any_order() {
        var history = new Story()
                .granted("A", 20, 0, 50)
                .granted("B", 10, 1, 60)
                .granted("C", 15, 49, 70)
                .end();
        assertThat(checker.check(history).problems()).isEmpty();
    }

    @Test
    void a_token_that_was_given_out_twice_is_wrong() {
        var history =
                new Story().granted("A", 10, 0, 50).granted("B", 10, 1, 60).end();
        assertThat(checker.check(history).problems()).singleElement().asString().contains("one token, two grants");
    }

    @Test
    void a_lower_token_for_who_asked_after_a_higher_one_was_known_is_wrong() {
        var history = new Story()
                .granted("A", 20, 0, 50)
                .granted("B", 30, 0, 40)
                .granted("C", 29, 41, 70)
                .end();
        assertThat(checker.check(history).problems())
                .singleElement()
                .asString()
                .contains("#2 B")
                .contains("#3 C");
    }

    @Test
    void a_renewal_that_changes_the_token_is_wrong() {
        var history = new Story()
                .granted("A", 10, 0, 5)
                .renewedAs("A", 10, 11, 300, 303)
                .end();
        assertThat(checker.check(history).problems()).singleElement().asString().contains("changed the token");
    }
}
