package io.holdfast.server.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads numbers with their units. */
final class Quantity {
    // Ten digits: no product below overflows.
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,10})(ms|s|m|h)");
    private static final Pattern BYTES = Pattern.compile("([0-9]{1,10})(B|KiB|MiB|GiB)");
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,10}");

    private Quantity() {}

    /** Reads {@code 250ms}, {@code 10s}, {@code 15m}, {@code 2h}. */
    static Optional<Duration> duration(String text) {
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(parts.group(1));
        return Optional.of(
                switch (parts.group(2)) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    default -> Duration.ofHours(number);
                });
    }

    /** Reads {@code 512B}, {@code 256KiB}, {@code 1MiB}, {@code 2GiB}. */
    static Optional<Long> bytes(String text) {
        Matcher parts = BYTES.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(parts.group(1));
        return Optional.of(
                switch (parts.group(2)) {
                    case "B" -> number;
                    case "KiB" -> number << 10;
                    case "MiB" -> number << 20;
                    default -> number << 30;
                });
    }

    /** Reads a whole number, {@code 65536} or {@code 65_536}. */
    static Optional<Long> count(String text) {
        String digits = text.replace("_", "");
        return COUNT.matcher(digits).matches() ? Optional.of(Long.parseLong(digits)) : Optional.empty();
    }
}
