package io.holdfast.client;

import java.util.Optional;

/** How it ended to pass a lock on to another owner. */
public sealed interface HandOff {
    /**
     * The other owner holds the lock, and has since the moment at which you did not any more.
     *
     * @param token the token of the new holder
     */
    record Done(long token) implements HandOff {}

    /**
     * You do not hold the lock (under that token). Nothing changed.
     *
     * @param holder who holds it now, if anybody does
     */
    record NotHeld(Optional<Holder> holder) implements HandOff {}

    /** The session to which it should be passed on does not exist. Nothing changed. */
    record NoSuchTarget() implements HandOff {}

    /** The owner to which it should be passed on holds it already, or waits for it in another mode or as part of a set. Nothing changed. */
    record TargetBusy() implements HandOff {}
}
