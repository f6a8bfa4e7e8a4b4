package io.holdfast.client;

import java.util.Optional;

/** How a release ended. */
public sealed interface ReleaseResult {
    /**
     * The hold is over.
     *
     * @param token the token that it had
     */
    record Released(long token) implements ReleaseResult {}

    /**
     * The owner does not hold the lock (under that token). Nothing changed.
     *
     * @param holder who holds it now, if anybody does
     */
    record NotHeld(Optional<Holder> holder) implements ReleaseResult {}
}
