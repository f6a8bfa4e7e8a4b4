package io.holdfast.core;

/** Whether a fencing token still counts, for resources that cannot compare tokens themselves. */
public sealed interface TokenCheck {
    /**
     * A live hold has the token.
     *
     * @param hold the hold
     */
    record Current(HoldView hold) implements TokenCheck {}

    /**
     * Others hold the lock.
     *
     * @param newest the greatest token of those who do
     */
    record Stale(FencingToken newest) implements TokenCheck {}

    /** Nobody holds the lock. */
    record Free() implements TokenCheck {}
}
