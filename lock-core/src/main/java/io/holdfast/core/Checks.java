package io.holdfast.core;

import java.util.Comparator;
import java.util.List;

/** What constructors of public records refuse: a value that got here past the front doors means a broken log, a damaged snapshot, or a bug. */
final class Checks {
    private Checks() {}

    static void ttl(long nanos) {
        if (nanos < Bounds.MIN_TTL_NANOS || nanos > Bounds.MAX_TTL_NANOS) {
            throw new IllegalArgumentException("TTL of " + nanos + " ns");
        }
    }

    static void ask(Owner owner, long ttlNanos, long waitNanos, String label) {
        if (owner instanceof Owner.OneShot) {
            ttl(ttlNanos);
        }
        if (waitNanos < 0) {
            throw new IllegalArgumentException("wait of " + waitNanos + " ns");
        }
        label(label);
    }

    static void label(String label) {
        Bounds.label(label).ifPresent(violation -> {
            throw new IllegalArgumentException(violation.message());
        });
    }

    static void value(String value) {
        Bounds.value(value).ifPresent(violation -> {
            throw new IllegalArgumentException(violation.message());
        });
    }

    static void reason(String reason) {
        Bounds.reason(reason).ifPresent(violation -> {
            throw new IllegalArgumentException(violation.message());
        });
    }

    static void grace(long nanos) {
        if (nanos < 0 || nanos > Bounds.MAX_GRACE_NANOS) {
            throw new IllegalArgumentException("grace of " + nanos + " ns");
        }
    }

    static void metadata(String metadata) {
        Bounds.metadata(metadata).ifPresent(violation -> {
            throw new IllegalArgumentException(violation.message());
        });
    }

    static void lockDelay(long nanos) {
        if (nanos < 0 || nanos > Bounds.MAX_LOCK_DELAY_NANOS) {
            throw new IllegalArgumentException("lock-delay of " + nanos + " ns");
        }
    }

    static void atLeast(long least, long value, String what) {
        if (value < least) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be at least " + least);
        }
    }

    /** Sorts what is asked for as one, so that each lock comes once and in the same place everywhere. */
    static List<Want> set(int least, List<Want> wants) {
        List<Want> sorted =
                wants.stream().sorted(Comparator.comparing(Want::name)).toList();
        if (sorted.size() < least || sorted.size() > Bounds.MAX_SET) {
            throw new IllegalArgumentException(
                    "a set of " + sorted.size() + " locks; it must be " + least + " to " + Bounds.MAX_SET);
        }
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).name().equals(sorted.get(i - 1).name())) {
                throw new IllegalArgumentException(sorted.get(i).name() + " is in the set twice");
            }
        }
        return sorted;
    }

    static List<LockName> names(List<LockName> names) {
        List<Want> wants =
                names.stream().map(name -> new Want(name, Terms.PLAIN)).toList();
        return set(1, wants).stream().map(Want::name).toList();
    }

    static <T> List<T> notEmpty(List<T> requests) {
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("a hold or wait that no request asked for");
        }
        return List.copyOf(requests);
    }
}
