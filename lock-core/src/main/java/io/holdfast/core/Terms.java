package io.holdfast.core;

/**
 * On which terms a lock is asked for, and held then.
 *
 * @param mode alone or together with others
 */
public record Terms(Mode mode) {
    /** Alone, and nothing besides: all that there was in feature level 1. */
    public static final Terms PLAIN = new Terms(Mode.EXCLUSIVE);

    /** Shared, and nothing besides. */
    public static final Terms SHARED = new Terms(Mode.SHARED);
}
