package io.holdfast.core;

/** Fixed-width hexadecimal: the form in which ids and digests are shown. */
final class Hex {
    private Hex() {}

    static String of(long value) {
        String digits = Long.toHexString(value);
        return "0".repeat(16 - digits.length()) + digits;
    }
}
