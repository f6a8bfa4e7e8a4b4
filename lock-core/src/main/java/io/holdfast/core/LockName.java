package io.holdfast.core;

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

    @Override
    public int compareTo(LockName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
