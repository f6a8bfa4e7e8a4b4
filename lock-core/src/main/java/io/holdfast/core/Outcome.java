package io.holdfast.core;

import java.util.List;
import java.util.Optional;

/** The answer to one command. Every refusal is a value: only a broken log or a bug throws. */
public sealed interface Outcome {
    /**
     * The lock is held by the owner that asked: by this very request, or (a session) since an earlier one.
     *
     * @param hold the hold, with its token and lease
     */
    record Granted(HoldView hold) implements Outcome {}

    /**
     * All the locks of a set are held by the owner that asked.
     *
     * @param token the one token of all these holds
     * @param holds the holds in order of names; in the answer to a retry those that have not been released yet, at least one
     */
    record GrantedAll(FencingToken token, List<HoldView> holds) implements Outcome {
        /** Copies the list. */
        public GrantedAll {
            holds = List.copyOf(holds);
        }
    }

    /**
     * The owner waits in the queue.
     *
     * @param holder who holds the lock now, if anyone: it may be free and kept for a set that is first in its queue. Of a set, who holds the first of its locks that it has to wait for
     */
    record Queued(Optional<HoldView> holder) implements Outcome {
        /**
         * Waits for one who holds the lock.
         *
         * @param holder who holds the lock now
         */
        public Queued(HoldView holder) {
            this(Optional.of(holder));
        }
    }

    /**
     * The lock is held, and the request would not wait. Final: a retry of the same request is answered so too.
     *
     * @param holder who holds the lock now; empty in the answer to a retry if nobody does by then
     */
    record Held(Optional<HoldView> holder) implements Outcome {}

    /**
     * The lock is held, or waited for, by the same one-shot owner through <em>another</em> request. Two processes with one owner name must not both believe that they hold.
     *
     * @param holder who holds the lock now: the same owner, or the one for whom it waits; empty in the answer to a retry if nobody does by then
     */
    record OwnerBusy(Optional<HoldView> holder) implements Outcome {}

    /**
     * The owner holds the lock, or waits for it, in another mode; nothing changed. Who holds a lock changes its mode by {@link Command.Convert}, who waits gives up first. Final: a retry of the same request is answered so too.
     *
     * @param holder who holds the lock now; empty in the answer to a retry if nobody does by then
     */
    record OtherMode(Optional<HoldView> holder) implements Outcome {}

    /**
     * A set and a single lock are in each other's way: the session has one of the locks of a set that it asks for, but not as this set; or it has a lock as part of a set that it asks for alone, or would convert. Nothing changed. Final: a retry of the same request is answered so too.
     *
     * @param name the lock; in the answer to a retry the first of a set
     */
    record PartOfSet(LockName name) implements Outcome {}

    /**
     * The name is a semaphore of another capacity than the request says, or a lock and no semaphore, or the other way round; nothing changed. It may be asked for otherwise as soon as nobody holds it or waits for it. Final: a retry of the same request is answered so too.
     *
     * @param name the name; in the answer to a retry the first of a set
     * @param capacity how many permits it has now; 0 of a lock, and in the answer to a retry if nobody holds it by then
     */
    record OtherKind(LockName name, int capacity) implements Outcome {}

    /**
     * The hold has fewer permits than were to be given back; nothing changed. Final: a retry of the same request is answered so too.
     *
     * @param held how many the owner holds now
     */
    record FewerPermits(int held) implements Outcome {}

    /**
     * Some permits of a hold were given back; the hold goes on with the others, under the same token.
     *
     * @param token its token
     * @param hold the hold as it is now; empty in the answer to a retry if it has ended by then
     */
    record PermitsReleased(FencingToken token, Optional<HoldView> hold) implements Outcome {}

    /**
     * Another value was published with a hold.
     *
     * @param token the token of the hold
     * @param hold the hold as it is now; empty in the answer to a retry if it has ended by then
     */
    record Proclaimed(FencingToken token, Optional<HoldView> hold) implements Outcome {}

    /**
     * The session would wait for itself in the end; nothing changed. It may give back what it holds and ask again, or ask so that deadlocks are allowed. Final: a retry of the same request is answered so too.
     *
     * @param cycle who waits for whom, from the session to itself: the blocker of each is the waiter of the next, and that of the last the waiter of the first. Of a longer circle the first 100; none in the answer to a retry
     */
    record Deadlock(List<WaitEdge> cycle) implements Outcome {
        /** Copies the list. */
        public Deadlock {
            cycle = List.copyOf(cycle);
        }
    }

    /**
     * A lock was passed on.
     *
     * @param token the token of the new holder
     */
    record HandedOff(FencingToken token) implements Outcome {}

    /** The session to which a lock should be passed on does not exist; nothing changed. Final: a retry of the same request is answered so too. */
    record NoSuchTarget() implements Outcome {}

    /** The owner to which a lock should be passed on holds it already, or waits for it in another mode or as part of a set; nothing changed. Final: a retry of the same request is answered so too. */
    record TargetBusy() implements Outcome {}

    /**
     * The hold is revoked, and its holder has some time yet to stop.
     *
     * @param hold the hold with its notice
     */
    record Revoking(HoldView hold) implements Outcome {}

    /**
     * The hold that was to be revoked has ended: by the revocation, or before that could.
     *
     * @param token the token it had
     */
    record Revoked(FencingToken token) implements Outcome {}

    /**
     * A hold cannot become the only one while others share the lock; nothing changed. To wait for them instead could wait for ever: two who share, each waiting to be alone. Final: a retry of the same request is answered so too.
     *
     * @param holders how many hold the lock now
     */
    record NotAlone(int holders) implements Outcome {}

    /**
     * The acquire is over: granted and ended since, or given up, or timed out. It will not be granted any more.
     *
     * @param how how it ended
     * @param token the token of its grant, if there was one
     */
    record Ended(End how, Optional<FencingToken> token) implements Outcome {}

    /**
     * The hold was ended by its owner.
     *
     * @param token the token it had; dead from this index on
     */
    record Released(FencingToken token) implements Outcome {}

    /**
     * The owner does not hold the lock (under that token), and nothing changed.
     *
     * @param holder who holds the lock now, if anyone
     */
    record NotHeld(Optional<HoldView> holder) implements Outcome {}

    /**
     * The lease of a hold was renewed.
     *
     * @param hold the hold with its new deadline
     */
    record Renewed(HoldView hold) implements Outcome {}

    /**
     * The sessions were renewed, but for those that are gone.
     *
     * @param gone those of the command's sessions that do not exist: expired, closed, or never opened
     */
    record SessionsRenewed(List<SessionId> gone) implements Outcome {
        /** Copies the list. */
        public SessionsRenewed {
            gone = List.copyOf(gone);
        }
    }

    /**
     * The session is open: by this command or an earlier sending of it.
     *
     * @param session the session
     */
    record SessionOpened(SessionView session) implements Outcome {}

    /** The session was closed. */
    record SessionClosed() implements Outcome {}

    /**
     * The feature level of the store is at least what was asked for.
     *
     * @param level the level now
     */
    record FeatureLevel(int level) implements Outcome {}

    /**
     * The store cannot carry this out before its feature level is raised, which it is once all members are of a version that knows it; nothing was done.
     *
     * @param needed the level that it takes
     * @param level the level now
     */
    record FeatureLevelTooLow(int needed, int level) implements Outcome {}

    /** The session does not exist: it expired, was closed, or was never opened. Final for this session. */
    record NoSuchSession() implements Outcome {}

    /** The request was issued before the reach of the store's memory, so whether it was carried out earlier is not known. It was not carried out now. */
    record TooLate() implements Outcome {}

    /** The client has said that it saw the answer to this request; it is a duplicate, and nothing was done. */
    record AlreadyAnswered() implements Outcome {}

    /**
     * A bound of the store is reached; nothing was done.
     *
     * @param what which bound, in words
     * @param limit its value
     */
    record LimitReached(String what, long limit) implements Outcome {}
}
