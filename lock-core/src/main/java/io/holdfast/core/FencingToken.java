package io.holdfast.core;

/**
 * Orders all grants of the store: a later grant has a greater token (invariant I2). A resource refuses a token lower than the highest it has seen.
 *
 * @param value positive, below 2^63
 */
public record FencingToken(long value) implements Comparable<FencingToken> {
    /** Tokens that one log entry may give out before the next entry's range begins. */
    public static final long PER_ENTRY = 65_536;

    /** Refuses what is not positive. */
    public FencingToken {
        if (value <= 0) {
            throw new IllegalArgumentException("a fencing token is positive: " + value);
        }
    }

    /**
     * The token of the next grant (DESIGN §3): derived from the log index of the entry that <em>grants</em>, never of the one that asked, since requests are not granted in the order in which they came.
     *
     * @param last the last token given out, or 0
     * @param logIndex the index of the entry that grants
     * @return the greater of {@code last + 1} and {@code logIndex × 65 536}
     */
    static FencingToken next(long last, long logIndex) {
        return new FencingToken(Math.max(last + 1, Math.multiplyExact(logIndex, PER_ENTRY)));
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
