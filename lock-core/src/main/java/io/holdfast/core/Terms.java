package io.holdfast.core;

/**
 * On which terms a lock is asked for, and held then.
 *
 * @param mode alone or together with others
 * @param value what the holder publishes, 0 to 4,096 bytes of UTF-8: of an election, how to reach the leader
 * @param lockDelayNanos how long nobody gets the lock after this hold has ended against its holder's will, 0 to 1 h, in ns of lease time: for resources that cannot refuse an old token
 */
public record Terms(Mode mode, String value, long lockDelayNanos) {
    /** Alone, and nothing besides: all that there was in feature level 1. */
    public static final Terms PLAIN = new Terms(Mode.EXCLUSIVE);

    /** Shared, and nothing besides. */
    public static final Terms SHARED = new Terms(Mode.SHARED);

    /** Refuses what {@link Bounds} refuses. */
    public Terms {
        Checks.value(value);
        Checks.lockDelay(lockDelayNanos);
    }

    /**
     * A mode, and nothing besides.
     *
     * @param mode alone or together with others
     */
    public Terms(Mode mode) {
        this(mode, "", 0);
    }

    /**
     * The same in another mode.
     *
     * @param other the mode
     * @return new terms
     */
    public Terms withMode(Mode other) {
        return new Terms(other, value, lockDelayNanos);
    }

    /**
     * The same with another value.
     *
     * @param other the value
     * @return new terms
     */
    public Terms withValue(String other) {
        return new Terms(mode, other, lockDelayNanos);
    }
}
