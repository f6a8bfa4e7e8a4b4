package io.holdfast.client;

import java.util.List;
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
     * @param name with {@link Reason#OTHER_KIND} and {@link Reason#PART_OF_SET} the lock in question, which may be any of a set; otherwise empty
     * @param capacity with {@link Reason#OTHER_KIND} how many permits the semaphore has now, 0 if it is a lock and no semaphore
     * @param cycle with {@link Reason#DEADLOCK} who waits for whom, from the session to itself; none in the answer to a retry
     */
    record NotGranted(Reason reason, Optional<Holder> holder, String name, int capacity, List<WaitEdge> cycle)
            implements Acquisition {
        /** Copies the list. */
        public NotGranted {
            cycle = List.copyOf(cycle);
        }

        /**
         * A no that is about the holder.
         *
         * @param reason why
         * @param holder who holds the lock now, if anybody does
         */
        public NotGranted(Reason reason, Optional<Holder> holder) {
            this(reason, holder, "", 0, List.of());
        }
    }

    /** Why a lock was not granted. */
    enum Reason {
        /** Somebody holds it, or it is kept for a set that is first in its queue, or for a lock-delay; and the request would not wait. */
        HELD,
        /** Your own one-shot owner holds it, or waits for it, through another request. */
        OWNER_BUSY,
        /** Your session holds it, or waits for it, in another mode. Who holds converts, who waits gives up first. */
        OTHER_MODE,
        /** The name is a lock and no semaphore, or the other way round, or a semaphore of another capacity, as long as somebody holds it or waits for it. */
        OTHER_KIND,
        /** Your session has the lock as part of a set and asks for it alone, or has a lock of this set but not as this set. */
        PART_OF_SET,
        /** Your session would wait for itself in the end. It may give back what it holds and ask again. */
        DEADLOCK,
        /** The patience ran out. */
        TIMED_OUT,
        /** The lease ran out: of the waiter, or of the grant that this request had been given earlier. */
        EXPIRED,
        /** The grant that this request had been given earlier has been released. */
        RELEASED,
        /** The grant that this request had been given earlier goes on in another mode, under another token. */
        CONVERTED,
        /** The grant that this request had been given earlier has been passed on to another owner. */
        HANDED_OFF,
        /** The grant that this request had been given earlier has been revoked. */
        REVOKED,
        /** The request was given up. */
        GAVE_UP
    }
}
