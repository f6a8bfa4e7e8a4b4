package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever a client sends as a name, the bounds agree with a real encoder, never throw, and tell of it harmlessly. */
class BoundsProperties {
    @Property
    void a_name_passes_if_and_only_if_its_utf8_is_right(@ForAll("texts") String text) {
        boolean right = bytes(text).filter(size -> size >= 1 && size <= 512).isPresent()
                && text.codePoints().noneMatch(c -> c < 0x20 || (c >= 0x7f && c < 0xa0));
        assertThat(Bounds.name(text).isEmpty()).isEqualTo(right);
        if (right) {
            assertThat(new LockName(text).value()).isEqualTo(text);
        } else {
            assertThatThrownBy(() -> new LockName(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Property
    void a_refusal_names_field_value_and_limit_in_one_short_harmless_line(@ForAll("texts") String text) {
        Bounds.owner(text).ifPresent(violation -> {
            assertThat(violation.field()).isEqualTo("owner");
            assertThat(violation.limit()).contains("1 to 256 bytes");
            assertThat(violation.message())
                    .contains(violation.field(), violation.value(), violation.limit())
                    .hasSizeLessThan(600);
            assertThat(violation.message().codePoints().noneMatch(BoundsProperties::isHarmful))
                    .isTrue();
        });
    }

    /** What would end a line, move a cursor, turn the direction of writing, or is no character at all. */
    private static boolean isHarmful(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    private static Optional<Integer> bytes(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return Optional.of(encoded.remaining());
        } catch (CharacterCodingException e) {
            return Optional.empty(); // an unpaired surrogate
        }
    }

    /** Around the limits of 256 and 512 bytes, of one to four bytes a character, with what must not be in them. */
    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> parts = Arbitraries.of(
                "a",
                "/",
                "é",
                "ࠀ",
                "\uD83D\uDD12",
                "\uD83D",
                "\uDD12",
                "\n",
                "\u0000",
                "\u007f",
                "\u0085",
                "\u202e",
                "\u2028");
        Arbitrary<String> runs = Arbitraries.of(
                "a".repeat(255),
                "a".repeat(511),
                "é".repeat(127),
                "é".repeat(255),
                "ࠀ".repeat(85),
                "ࠀ".repeat(170),
                "\uD83D\uDD12".repeat(64),
                "\uD83D\uDD12".repeat(128),
                "");
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(20),
                parts.list().ofMaxSize(4).map(list -> String.join("", list)),
                runs.flatMap(run -> parts.list().ofMaxSize(3).map(list -> run + String.join("", list))),
                runs.flatMap(run -> parts.list().ofMaxSize(2).map(list -> String.join("", list) + run)));
    }
}
