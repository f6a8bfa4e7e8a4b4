package io.holdfast.client;

import java.util.Optional;

/** How a renewal ended. */
public sealed interface Renewal {
    /**
     * The lease runs on.
     *
     * @param grant the hold with its new deadline
     */
    record Renewed(Grant grant) implements Renewal {}

    /**
     * The owner does not hold the lock (under that token). Nothing changed.
     *
     * @param holder who holds it now, if anybody does
     */
    record NotHeld(Optional<Holder> holder) implements Renewal {}
}
