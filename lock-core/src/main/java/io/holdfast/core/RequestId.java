package io.holdfast.core;

/**
 * Names one request of one client, shared by all its retries. A random 128-bit number chosen by the client.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
public record RequestId(long high, long low) implements Comparable<RequestId> {
    @Override
    public int compareTo(RequestId other) {
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    /** {@return the id as 32 hexadecimal digits} */
    @Override
    public String toString() {
        return Hex.of(high) + Hex.of(low);
    }
}
