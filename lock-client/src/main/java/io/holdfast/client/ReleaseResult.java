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

    /**
     * Some of the permits are given back; the hold goes on with the others, under the same token.
     *
     * @param token its token
     * @param hold the hold as it is now; empty in the answer to a retry if it has ended by then
     */
    record PermitsReleased(long token, Optional<Holder> hold) implements ReleaseResult {}

    /**
     * The hold has fewer permits than were to be given back. Nothing changed.
     *
     * @param held how many the owner holds now
     */
    record FewerPermits(int held) implements ReleaseResult {}

    /** Permits were to be given back of what is a lock and no semaphore. Nothing changed. */
    record NoSemaphore() implements ReleaseResult {}
}
