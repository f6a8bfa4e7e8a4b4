package io.holdfast.client;

import java.util.Optional;

/** How an acquire ended. */
public sealed interface Acquisition {
    /**
     * The lock is yours.
     *
     * @param grant the token and the deadline
     */
    record Granted(Grant grant) implements Acquisition {}

    /**
     * A clear no: nothing is held and nobody waits in your name.
     *
     * @param reason why
     * @param holder who holds the lock now, if anybody does
     */
    record NotGranted(Reason reason, Optional<Holder> holder) implements Acquisition {}

    /** Why a lock was not granted. */
    enum Reason {
        /** Somebody holds it, and the request would not wait. */
        HELD,
        /** Your own one-shot owner holds it, or waits for it, through another request. */
        OWNER_BUSY,
        /** The patience ran out. */
        TIMED_OUT,
        /** The lease ran out: of the waiter, or of the grant that this request had been given earlier. */
        EXPIRED,
        /** The grant that this request had been given earlier has been released. */
        RELEASED,
        /** The request was given up. */
        GAVE_UP
    }
}
