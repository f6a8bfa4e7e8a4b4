package io.holdfast.client;

import java.util.Optional;

/** How it ended to publish another value with a hold. */
public sealed interface Proclamation {
    /**
     * The value is published. The lease was not renewed.
     *
     * @param token the token of the hold
     */
    record Proclaimed(long token) implements Proclamation {}

    /**
     * The owner does not hold the lock (under that token). Nothing changed.
     *
     * @param holder who holds it now, if anybody does
     */
    record NotHeld(Optional<Holder> holder) implements Proclamation {}
}
