package io.holdfast.client;

import java.time.Duration;

/**
 * On which terms a lock is asked for, and held then.
 *
 * @param mode alone or together with others
 * @param value what the holder publishes, up to 4,096 bytes of UTF-8: of an election, how to reach the leader
 * @param lockDelay how long nobody gets the lock after this hold has expired, 0 to 1 h, for resources that cannot refuse an old token; there is no pause after a release
 */
public record Terms(Mode mode, String value, Duration lockDelay) {
    /** Alone, and nothing besides. */
    public static final Terms PLAIN = new Terms(Mode.EXCLUSIVE, "", Duration.ZERO);

    /**
     * The same in another mode.
     *
     * @param other the mode
     * @return new terms
     */
    public Terms withMode(Mode other) {
        return new Terms(other, value, lockDelay);
    }

    /**
     * The same with another value.
     *
     * @param other the value
     * @return new terms
     */
    public Terms withValue(String other) {
        return new Terms(mode, other, lockDelay);
    }

    /**
     * The same with another lock-delay.
     *
     * @param other 0 to 1 h
     * @return new terms
     */
    public Terms withLockDelay(Duration other) {
        return new Terms(mode, value, other);
    }
}
