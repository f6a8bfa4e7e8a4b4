package io.holdfast.jepsen;

import java.util.List;
import java.util.Locale;

/**
 * Durations that were measured, in ns.
 *
 * @param what was measured
 * @param nanos at least one
 */
record Figures(String what, List<Long> nanos) {
    Figures {
        nanos = nanos.stream().sorted().toList();
    }

    long min() {
        return nanos.getFirst();
    }

    long median() {
        return (nanos.get((nanos.size() - 1) / 2) + nanos.get(nanos.size() / 2)) / 2;
    }

    long max() {
        return nanos.getLast();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-50s min %8.1f ms  median %8.1f ms  max %8.1f ms  (n = %d)",
                what,
                min() / 1e6,
                median() / 1e6,
                max() / 1e6,
                nanos.size());
    }
}
