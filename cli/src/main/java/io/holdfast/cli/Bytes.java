package io.holdfast.cli;

import java.util.Locale;

/** Sizes as people read them. */
final class Bytes {
    private Bytes() {}

    /** {@code 512 B}, {@code 1.5 KiB}, {@code 12.0 MiB}. */
    static String text(long bytes) {
        if (bytes < 1 << 10) {
            return bytes + " B";
        }
        double size = bytes;
        int unit = -1;
        while (size >= 1 << 10 && unit < 3) {
            size /= 1 << 10;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %siB", size, "KMGT".charAt(unit));
    }
}
