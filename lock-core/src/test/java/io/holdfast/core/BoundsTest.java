package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class BoundsTest {
    @Test
    void a_name_has_1_to_512_bytes_of_utf8() {
        assertThat(Bounds.name("a")).isEmpty();
        assertThat(Bounds.name("a".repeat(512))).isEmpty();
        assertThat(Bounds.name("é".repeat(256))).isEmpty();
        assertThat(Bounds.name("\uD83D\uDD12".repeat(128))).isEmpty(); // four bytes each
        assertThat(Bounds.name(""))
                .get()
                .extracting(Bounds.Violation::message)
                .isEqualTo("name is empty; it must be 1 to 512 bytes of UTF-8 without control characters");
        assertThat(Bounds.name("a".repeat(513)))
                .get()
                .extracting(Bounds.Violation::value)
                .asString()
                .startsWith("\"aaaa")
                .endsWith("…\" (513 bytes)")
                .hasSizeLessThan(90);
        assertThat(Bounds.name("é".repeat(257))).isPresent();
    }

    @Test
    void control_characters_and_halves_of_pairs_are_refused_and_shown_harmlessly() {
        assertThat(Bounds.name("a\nb"))
                .get()
                .extracting(Bounds.Violation::value)
                .isEqualTo("\"a\\u000ab\" (with a control character)");
        assertThat(Bounds.name("a\u0000")).isPresent();
        assertThat(Bounds.name("a\u0085b")).isPresent();
        assertThat(Bounds.name("a\uD83D"))
                .get()
                .extracting(Bounds.Violation::value)
                .isEqualTo("\"a\\ud83d\" (an unpaired surrogate)");
        assertThat(Bounds.name("\uDD12a")).isPresent();
    }

    @Test
    void owners_labels_ttls_and_tokens_have_their_limits() {
        assertThat(Bounds.owner("o".repeat(256))).isEmpty();
        assertThat(Bounds.owner("o".repeat(257))).isPresent();
        assertThat(Bounds.label("")).isEmpty();
        assertThat(Bounds.label("l".repeat(257))).isPresent();
        assertThat(Bounds.ttlMillis(100)).isEmpty();
        assertThat(Bounds.ttlMillis(99)).isPresent();
        assertThat(Bounds.ttlMillis(86_400_000)).isEmpty();
        assertThat(Bounds.ttlMillis(86_400_001)).isPresent();
        assertThat(Bounds.ttlMillis(Long.MIN_VALUE)).isPresent();
        assertThat(Bounds.ttlMillis(Long.MAX_VALUE)).isPresent();
        assertThat(Bounds.token(1)).isEmpty();
        assertThat(Bounds.token(0)).isPresent();
        assertThat(Bounds.token(-1)).isPresent();
    }

    @Test
    void each_limit_is_exact_and_each_refusal_names_field_value_and_limit() {
        assertThat(Bounds.name("\uD83D\uDD12".repeat(128) + "a")).isPresent();
        assertThat(Bounds.owner("é".repeat(128))).isEmpty();
        assertThat(Bounds.owner("é".repeat(128) + "a")).isPresent();
        assertThat(Bounds.owner("")).isPresent();
        assertThat(Bounds.label("l".repeat(256))).isEmpty();
        assertThat(Bounds.label("\uD83D\uDD12".repeat(65))).isPresent();
        assertThat(Bounds.token(Long.MAX_VALUE)).isEmpty();
        assertThat(Bounds.token(Long.MIN_VALUE)).isPresent();
        for (long millis : new long[] {0, -1, 25 * 3_600_000L, 86_400_000_000_000L}) {
            assertThat(Bounds.ttlMillis(millis))
                    .get()
                    .extracting(Bounds.Violation::message)
                    .isEqualTo("ttl is " + millis + " ms; it must be 100 ms to 24 h");
        }
        assertThat(Bounds.token(-7))
                .get()
                .extracting(Bounds.Violation::message)
                .isEqualTo("token is -7; it must be 1 to 9223372036854775807");
        assertThat(Bounds.label("x\ty"))
                .get()
                .extracting(Bounds.Violation::message)
                .isEqualTo(
                        "owner_label is \"x\\u0009y\" (with a control character); it must be 0 to 256 bytes of UTF-8 without control characters");
    }

    @Test
    void a_value_of_any_size_is_shown_in_a_few_characters_and_cannot_rewrite_the_line_it_is_in() {
        String bidi = "\u202e" + "\u2028".repeat(100_000) + "\u001b[2J";
        assertThat(Bounds.name(bidi))
                .get()
                .extracting(Bounds.Violation::message)
                .asString()
                .startsWith("name is \"\\u202e\\u2028\\u2028")
                .hasSizeLessThan(500)
                .doesNotContain("\u202e", "\u2028", "\u001b");
    }

    @Test
    void what_the_bounds_refuse_no_command_can_carry() {
        assertThatThrownBy(() -> new LockName("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Owner.OneShot("\t")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Command.RenewHold(new Owner.OneShot("o"), new LockName("n"), Optional.empty(), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Command.OpenSession(new SessionId(0, 0), 0, Bounds.MIN_TTL_NANOS, "a\nb"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Command.Acquire(
                        new Owner.OneShot("o"),
                        new LockName("n"),
                        new Request.Numbered(1, 0),
                        Bounds.MIN_TTL_NANOS,
                        0,
                        "l".repeat(257)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Command.Acquire(
                        new Owner.OneShot("o"),
                        new LockName("n"),
                        new Request.Numbered(1, 0),
                        Bounds.MIN_TTL_NANOS,
                        -1,
                        ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Request.Identified(new RequestId(0, 0), -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Request.Numbered(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Position(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Position(1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Request.Numbered(1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
