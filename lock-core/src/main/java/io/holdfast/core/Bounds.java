package io.holdfast.core;

import java.util.Optional;

/**
 * What a request may contain. Front doors ask here before they build a {@link Command}, so that a client's mistake is a {@link Violation}, never an exception.
 */
public final class Bounds {
    /** Longest lock name, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 512;

    /** Longest owner, in bytes of UTF-8. */
    public static final int MAX_OWNER_BYTES = 256;

    /** Longest owner label, in bytes of UTF-8. */
    public static final int MAX_LABEL_BYTES = 256;

    /** Shortest TTL: 100 ms, in ns. */
    public static final long MIN_TTL_NANOS = 100_000_000L;

    /** Longest TTL: 24 h, in ns. */
    public static final long MAX_TTL_NANOS = 24L * 3_600 * 1_000_000_000L;

    /** Longest value of a hold, in bytes of UTF-8. */
    public static final int MAX_VALUE_BYTES = 4_096;

    /** Longest metadata of a session, in bytes of UTF-8. */
    public static final int MAX_METADATA_BYTES = 1_024;

    /** Longest lock-delay: 1 h, in ns. */
    public static final long MAX_LOCK_DELAY_NANOS = 3_600L * 1_000_000_000L;

    /** Longest reason of a revocation, in bytes of UTF-8. */
    public static final int MAX_REASON_BYTES = 512;

    /** Longest grace of a revocation: 24 h, in ns. */
    public static final long MAX_GRACE_NANOS = 24L * 3_600 * 1_000_000_000L;

    /** Most locks that are asked for as one. */
    public static final int MAX_SET = 128;

    /** Most permits of a semaphore. */
    public static final int MAX_CAPACITY = 1_000_000;

    /** The wait that never ends, as {@code waitNanos}. */
    public static final long WAIT_FOREVER = Long.MAX_VALUE;

    /** Most of a refused value that a violation repeats, in characters. */
    private static final int MAX_SHOWN = 64;

    private Bounds() {}

    /**
     * A value that a request may not contain.
     *
     * @param field the field of the request, as the public API names it
     * @param value what stood there, shortened and escaped, fit for a log line
     * @param limit what would have been right
     */
    public record Violation(String field, String value, String limit) {
        /** {@return one sentence that names field, value and limit} */
        public String message() {
            return field + " is " + value + "; it must be " + limit;
        }
    }

    /**
     * Checks a lock name.
     *
     * @param value the name as the client sent it
     * @return what is wrong with it, or empty: 1 to 512 bytes of UTF-8 without control characters
     */
    public static Optional<Violation> name(String value) {
        return text("name", value, 1, MAX_NAME_BYTES);
    }

    /**
     * Checks the owner of a one-shot lease.
     *
     * @param value the owner as the client sent it
     * @return what is wrong with it, or empty: 1 to 256 bytes of UTF-8 without control characters
     */
    public static Optional<Violation> owner(String value) {
        return text("owner", value, 1, MAX_OWNER_BYTES);
    }

    /**
     * Checks an owner label.
     *
     * @param value the label as the client sent it, possibly empty
     * @return what is wrong with it, or empty: 0 to 256 bytes of UTF-8 without control characters
     */
    public static Optional<Violation> label(String value) {
        return text("owner_label", value, 0, MAX_LABEL_BYTES);
    }

    /**
     * Checks the reason of a revocation.
     *
     * @param value the reason as the client sent it
     * @return what is wrong with it, or empty: 1 to 512 bytes of UTF-8 without control characters
     */
    public static Optional<Violation> reason(String value) {
        return text("reason", value, 1, MAX_REASON_BYTES);
    }

    /**
     * Checks the grace of a revocation.
     *
     * @param millis the grace as the client sent it, in ms
     * @return what is wrong with it, or empty: 0 to 24 h
     */
    public static Optional<Violation> graceMillis(long millis) {
        boolean fits = millis >= 0 && millis <= MAX_GRACE_NANOS / 1_000_000;
        return fits ? Optional.empty() : Optional.of(new Violation("grace", millis + " ms", "0 to 24 h"));
    }

    /**
     * Checks a TTL.
     *
     * @param millis the TTL as the client sent it, in ms
     * @return what is wrong with it, or empty: 100 ms to 24 h
     */
    public static Optional<Violation> ttlMillis(long millis) {
        boolean fits = millis >= MIN_TTL_NANOS / 1_000_000 && millis <= MAX_TTL_NANOS / 1_000_000;
        return fits ? Optional.empty() : Optional.of(new Violation("ttl", millis + " ms", "100 ms to 24 h"));
    }

    /**
     * Checks the value of a hold. It may have control characters: it is not shown as it is.
     *
     * @param value the value as the client sent it, possibly empty
     * @return what is wrong with it, or empty: 0 to 4,096 bytes of UTF-8
     */
    public static Optional<Violation> value(String value) {
        return anyText("value", value, MAX_VALUE_BYTES);
    }

    /**
     * Checks the metadata of a session. It may have control characters: it is not shown as it is.
     *
     * @param value the metadata as the client sent it, possibly empty
     * @return what is wrong with it, or empty: 0 to 1,024 bytes of UTF-8
     */
    public static Optional<Violation> metadata(String value) {
        return anyText("metadata", value, MAX_METADATA_BYTES);
    }

    private static Optional<Violation> anyText(String field, String value, int maxBytes) {
        int bytes = utf8Length(value);
        return bytes >= 0 && bytes <= maxBytes
                ? Optional.empty()
                : Optional.of(new Violation(
                        field,
                        shown(value) + (bytes < 0 ? " (an unpaired surrogate)" : " (" + bytes + " bytes)"),
                        "0 to " + maxBytes + " bytes of UTF-8"));
    }

    /**
     * Checks a lock-delay.
     *
     * @param millis the delay as the client sent it, in ms
     * @return what is wrong with it, or empty: 0 to 1 h
     */
    public static Optional<Violation> lockDelayMillis(long millis) {
        boolean fits = millis >= 0 && millis <= MAX_LOCK_DELAY_NANOS / 1_000_000;
        return fits ? Optional.empty() : Optional.of(new Violation("lock_delay", millis + " ms", "0 to 1 h"));
    }

    /**
     * Checks a fencing token that a request names.
     *
     * @param token the token as the client sent it
     * @return what is wrong with it, or empty: 1 to 2^63 − 1
     */
    public static Optional<Violation> token(long token) {
        return token > 0
                ? Optional.empty()
                : Optional.of(new Violation("token", Long.toString(token), "1 to 9223372036854775807"));
    }

    /**
     * Checks what an acquire of a semaphore asks for.
     *
     * @param permits how many permits, as the client sent it
     * @param capacity how many there are in all, as the client sent it
     * @return what is wrong with it, or empty: 1 to capacity, and that 1 to 1,000,000
     */
    public static Optional<Violation> permits(long permits, long capacity) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            return Optional.of(new Violation("capacity", Long.toString(capacity), "1 to " + MAX_CAPACITY));
        }
        return permits >= 1 && permits <= capacity
                ? Optional.empty()
                : Optional.of(new Violation("permits", Long.toString(permits), "1 to the capacity, " + capacity));
    }

    private static Optional<Violation> text(String field, String value, int minBytes, int maxBytes) {
        int bytes = utf8Length(value);
        String limit = minBytes + " to " + maxBytes + " bytes of UTF-8 without control characters";
        if (bytes < 0) {
            return Optional.of(new Violation(field, shown(value) + " (an unpaired surrogate)", limit));
        }
        if (bytes < minBytes || bytes > maxBytes) {
            String what = bytes == 0 ? "empty" : shown(value) + " (" + bytes + " bytes)";
            return Optional.of(new Violation(field, what, limit));
        }
        boolean control = value.chars().anyMatch(Character::isISOControl);
        return control
                ? Optional.of(new Violation(field, shown(value) + " (with a control character)", limit))
                : Optional.empty();
    }

    /** {@return the length of the text in UTF-8, or −1 if it has an unpaired surrogate and so none} */
    private static int utf8Length(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                return -1;
            }
        }
        return bytes;
    }

    /** What would end a line, move a cursor or turn the direction of writing where a violation is shown. */
    private static boolean isHarmful(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    private static String shown(String value) {
        StringBuilder out = new StringBuilder("\"");
        int end = Math.min(value.length(), MAX_SHOWN);
        for (int i = 0; i < end; i++) {
            char c = value.charAt(i);
            if (isHarmful(c)) {
                out.append("\\u");
                String hex = Integer.toHexString(c);
                out.append("0".repeat(4 - hex.length())).append(hex);
            } else {
                out.append(c);
            }
        }
        return out.append(end < value.length() ? "…\"" : "\"").toString();
    }
}
