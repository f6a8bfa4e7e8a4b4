package io.holdfast.cli;

import io.holdfast.client.LockRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them: {@code 250ms}, {@code 10s}, {@code 15m}, {@code 2h}. */
final class Durations {
    private static final Pattern FORM = Pattern.compile("(-?\\d+)(ms|s|m|h)");
    private static final String LIMIT = "it must be a whole number and a unit, ms, s, m or h, such as 250ms or 10s";

    private Durations() {}

    /** Reads a duration. */
    static final class Converter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return parse(text);
        }
    }

    /** Reads how long to wait: also {@code 0} and {@code forever}. */
    static final class WaitConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            if (text.equals("forever")) {
                return LockRequest.FOREVER;
            }
            Duration wait = text.equals("0") ? Duration.ZERO : parse(text);
            if (wait.isNegative()) {
                throw new TypeConversionException("'" + text + "'; it must be 0, a duration such as 30s, or forever");
            }
            return wait;
        }
    }

    static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + shortened(text) + "'; " + LIMIT);
        }
        try {
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofMillis(Math.multiplyExact(number, 1_000L));
                case "m" -> Duration.ofMillis(Math.multiplyExact(number, 60_000L));
                default -> Duration.ofMillis(Math.multiplyExact(number, 3_600_000L));
            };
        } catch (NumberFormatException | ArithmeticException e) {
            throw new TypeConversionException("'" + shortened(text) + "'; it is too large");
        }
    }

    /** For people, in two units at most: {@code 8.3s}, {@code 4m 10s}. */
    static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1_000) {
            return millis + "ms";
        }
        if (millis < 60_000) {
            return String.format(Locale.ROOT, "%.1fs", Math.floor(millis / 100.0) / 10);
        }
        long seconds = millis / 1_000;
        return seconds < 3_600
                ? seconds / 60 + "m " + seconds % 60 + "s"
                : seconds / 3_600 + "h " + seconds / 60 % 60 + "m";
    }

    private static String shortened(String text) {
        return text.length() <= 64 ? text : text.substring(0, 64) + "…";
    }
}
