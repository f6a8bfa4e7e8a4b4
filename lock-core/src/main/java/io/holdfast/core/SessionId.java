package io.holdfast.core;

/**
 * Names a session. A random 128-bit number chosen by the client, so that opening is idempotent.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
public record SessionId(long high, long low) implements Comparable<SessionId> {
    @Override
    public int compareTo(SessionId other) {
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    /** {@return the id as 32 hexadecimal digits} */
    @Override
    public String toString() {
        return Hex.of(high) + Hex.of(low);
    }
}
