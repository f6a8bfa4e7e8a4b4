package io.holdfast.core;

import java.util.Optional;

/**
 * The name of a lock, byte for byte as the client wrote it: two names are equal only if their UTF-8 is.
 *
 * @param value 1 to 512 bytes of UTF-8 without control characters; {@code /} separates by custom only
 */
public record LockName(String value) implements Comparable<LockName> {
    /** Refuses what {@link Bounds#name} refuses; doors ask there first. */
    public LockName {
        Bounds.name(value).ifPresent(violation -> {
            throw new IllegalArgumentException(violation.message());
        });
    }

    /** {@return what comes before the first {@code /}; empty if there is none: such a name is a namespace of its own} */
    public Optional<String> namespace() {
        int slash = value.indexOf('/');
        return slash < 0 ? Optional.empty() : Optional.of(value.substring(0, slash));
    }

    @Override
    public int compareTo(LockName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
