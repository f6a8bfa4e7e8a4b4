package io.holdfast.client;

/** Whether a fencing token still counts, as the store saw it when it answered: it may be over when the answer arrives. */
public sealed interface TokenCheck {
    /**
     * A hold that lives has the token.
     *
     * @param holder who holds the lock with it
     */
    record Current(Holder holder) implements TokenCheck {}

    /**
     * Others hold the lock.
     *
     * @param newestToken the greatest token of those who do
     */
    record Stale(long newestToken) implements TokenCheck {}

    /** Nobody holds the lock. */
    record Free() implements TokenCheck {}
}
