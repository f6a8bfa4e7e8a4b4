package io.holdfast.core;

import java.util.List;

/** What constructors of public records refuse: a value that got here past the front doors means a broken log, a damaged snapshot, or a bug. */
final class Checks {
    private Checks() {}

    static void ttl(long nanos) {
        if (nanos < Bounds.MIN_TTL_NANOS || nanos > Bounds.MAX_TTL_NANOS) {
            throw new IllegalArgumentException("TTL of " + nanos + " ns");
        }
    }

    static void label(String label) {
        Bounds.label(label).ifPresent(violation -> {
            throw new IllegalArgumentException(violation.message());
        });
    }

    static void atLeast(long least, long value, String what) {
        if (value < least) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be at least " + least);
        }
    }

    static <T> List<T> notEmpty(List<T> requests) {
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("a hold or wait that no request asked for");
        }
        return List.copyOf(requests);
    }
}
