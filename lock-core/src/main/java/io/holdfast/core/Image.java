package io.holdfast.core;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One record of the state, as a snapshot keeps it. Immutable and complete: a restore needs nothing else to go on as if nothing had happened.
 *
 * <p>The constructors refuse with {@link IllegalArgumentException} what no state can contain; whether the records agree with each other is checked by the restore.
 */
public sealed interface Image {
    /** {@return the key under which a snapshot keeps this record} */
    ImageKey key();

    /**
     * The answer to a finished request of a session, which its client has not said to have seen.
     *
     * @param number the request's number, ≥ 1
     * @param past the answer
     */
    record Answered(long number, Past past) {
        /** Refuses a number below 1. */
        public Answered {
            Checks.atLeast(1, number, "request number");
        }
    }

    /**
     * A session with its lease.
     *
     * @param session its id
     * @param sequence when it was made, among all leases and waiters, ≥ 1
     * @param deadlineNanos when its lease ends, in ns of lease time, ≥ 0
     * @param ttlNanos its TTL, 100 ms to 24 h, in ns
     * @param label who it is, for people; may be empty
     * @param seenUpTo its client has the answers to all its requests up to this number, ≥ 0
     * @param answers the answers that its client may ask for again, by number, all above {@code seenUpTo}
     * @param metadata what else its client has said about it; may be empty
     */
    record OfSession(
            SessionId session,
            long sequence,
            long deadlineNanos,
            long ttlNanos,
            String label,
            long seenUpTo,
            List<Answered> answers,
            String metadata)
            implements Image {
        /** Copies the list. Refuses what {@link Bounds} refuses, negative numbers, and answers out of order. */
        public OfSession {
            Checks.atLeast(1, sequence, "sequence");
            Checks.atLeast(0, deadlineNanos, "deadline");
            Checks.ttl(ttlNanos);
            Checks.label(label);
            Checks.metadata(metadata);
            Checks.atLeast(0, seenUpTo, "answers seen up to");
            answers = List.copyOf(answers);
            long last = seenUpTo;
            for (Answered answer : answers) {
                Checks.atLeast(last + 1, answer.number(), "request number");
                last = answer.number();
            }
        }

        /**
         * A session without metadata.
         *
         * @param session its id
         * @param sequence when it was made, ≥ 1
         * @param deadlineNanos when its lease ends, in ns of lease time, ≥ 0
         * @param ttlNanos its TTL, in ns
         * @param label who it is, for people; may be empty
         * @param seenUpTo its client has the answers to all its requests up to this number, ≥ 0
         * @param answers the answers that its client may ask for again, by number
         */
        public OfSession(
                SessionId session,
                long sequence,
                long deadlineNanos,
                long ttlNanos,
                String label,
                long seenUpTo,
                List<Answered> answers) {
            this(session, sequence, deadlineNanos, ttlNanos, label, seenUpTo, answers, "");
        }

        @Override
        public ImageKey key() {
            return new ImageKey.OfSession(session);
        }
    }

    /**
     * A lock in the hands of one holder; if its terms allow for others, each has a record.
     *
     * @param name the lock
     * @param owner who holds it, with the lease of the hold if that is the hold's own
     * @param token the fencing token of the hold
     * @param logIndex the index of the entry that granted it, ≥ 1
     * @param grantedAtNanos since when it is held, in ns of lease time, ≥ 0
     * @param requests the acquires of this lock alone that this hold answers
     * @param terms on which terms it is held
     * @param setRequests the acquires of a set that this hold answers together with the others that have its token; none if it was granted alone
     * @param revocation that it is revoked, if it is
     */
    record OfLock(
            LockName name,
            OwnerImage owner,
            FencingToken token,
            long logIndex,
            long grantedAtNanos,
            List<Request> requests,
            Terms terms,
            List<Request> setRequests,
            Optional<Revocation> revocation)
            implements Image {
        /** Copies the lists. Refuses numbers out of range. */
        public OfLock {
            Checks.atLeast(1, logIndex, "log index");
            Checks.atLeast(0, grantedAtNanos, "granted at");
            requests = List.copyOf(requests);
            setRequests = List.copyOf(setRequests);
        }

        /**
         * A hold on plain terms.
         *
         * @param name the lock
         * @param owner who holds it
         * @param token the fencing token of the hold
         * @param logIndex the index of the entry that granted it, ≥ 1
         * @param grantedAtNanos since when it is held, in ns of lease time, ≥ 0
         * @param requests the acquires that this hold answers, at least one
         */
        public OfLock(
                LockName name,
                OwnerImage owner,
                FencingToken token,
                long logIndex,
                long grantedAtNanos,
                List<Request> requests) {
            this(name, owner, token, logIndex, grantedAtNanos, requests, Terms.PLAIN, List.of(), Optional.empty());
        }

        @Override
        public ImageKey key() {
            return key(name, token, terms);
        }

        /** Where a hold excludes all others the name tells it, as it did in feature level 1; elsewhere it takes the token too. */
        static ImageKey key(LockName name, FencingToken token, Terms terms) {
            return terms.mode() instanceof Mode.Exclusive
                    ? new ImageKey.OfLock(name)
                    : new ImageKey.OfHold(name, token);
        }
    }

    /**
     * The notice to a holder that its hold is revoked.
     *
     * @param sequence when it was made, among all leases, waiters, pauses and notices, ≥ 1
     * @param deadlineNanos when the grace is over, in ns of lease time, ≥ 0
     * @param reason why, for people
     * @param by who revokes it, for people; may be empty
     */
    record Revocation(long sequence, long deadlineNanos, String reason, String by) {
        /** Refuses what {@link Bounds} refuses, and numbers out of range. */
        public Revocation {
            Checks.atLeast(1, sequence, "sequence");
            Checks.atLeast(0, deadlineNanos, "deadline");
            Checks.reason(reason);
            Checks.label(by);
        }
    }

    /**
     * A place in the queue of a lock.
     *
     * @param name the lock
     * @param sequence when it was made, among all leases and waiters, ≥ 1; orders the queue
     * @param owner who waits, with the lease of the wait if that is the wait's own
     * @param logIndex the index of the entry that queued it, ≥ 1
     * @param queuedAtNanos since when it waits, in ns of lease time, ≥ 0
     * @param deadlineNanos when it leaves the queue at the latest, in ns of lease time, ≥ 0; {@link Bounds#WAIT_FOREVER} has no end
     * @param requests the acquires that wait here, at least one
     * @param terms on which terms it wants the lock
     * @param others the other locks that it will have at the same time, in order of names, all after {@code name}
     */
    record OfWaiter(
            LockName name,
            long sequence,
            OwnerImage owner,
            long logIndex,
            long queuedAtNanos,
            long deadlineNanos,
            List<Request> requests,
            Terms terms,
            List<Want> others)
            implements Image {
        /** Copies the lists. Refuses numbers out of range, a waiter without a request, and other locks out of order. */
        public OfWaiter {
            Checks.atLeast(1, sequence, "sequence");
            Checks.atLeast(1, logIndex, "log index");
            Checks.atLeast(0, queuedAtNanos, "queued at");
            Checks.atLeast(0, deadlineNanos, "deadline");
            requests = Checks.notEmpty(requests);
            others = List.copyOf(others);
            LockName last = name;
            for (Want want : others) {
                if (want.name().compareTo(last) <= 0) {
                    throw new IllegalArgumentException(want.name() + " comes after " + last);
                }
                last = want.name();
            }
        }

        /** {@return all that it waits for, in order of names} */
        public List<Want> wants() {
            return Stream.concat(Stream.of(new Want(name, terms)), others.stream())
                    .toList();
        }

        /**
         * A waiter for a lock on plain terms.
         *
         * @param name the lock
         * @param sequence when it was made, ≥ 1
         * @param owner who waits
         * @param logIndex the index of the entry that queued it, ≥ 1
         * @param queuedAtNanos since when it waits, in ns of lease time, ≥ 0
         * @param deadlineNanos when it leaves the queue at the latest, in ns of lease time, ≥ 0
         * @param requests the acquires that wait here, at least one
         */
        public OfWaiter(
                LockName name,
                long sequence,
                OwnerImage owner,
                long logIndex,
                long queuedAtNanos,
                long deadlineNanos,
                List<Request> requests) {
            this(name, sequence, owner, logIndex, queuedAtNanos, deadlineNanos, requests, Terms.PLAIN, List.of());
        }

        @Override
        public ImageKey key() {
            return new ImageKey.OfWaiter(name, sequence);
        }
    }

    /**
     * The pause of a lock: until it is over nobody gets it.
     *
     * @param name the lock
     * @param sequence when it was made, among all leases, waiters and pauses, ≥ 1
     * @param deadlineNanos when it is over, in ns of lease time, ≥ 0
     * @param capacity how many permits the lock has; 0 of what is no semaphore
     */
    record OfDelay(LockName name, long sequence, long deadlineNanos, int capacity) implements Image {
        /** Refuses numbers out of range. */
        public OfDelay {
            Checks.atLeast(1, sequence, "sequence");
            Checks.atLeast(0, deadlineNanos, "deadline");
            Checks.atLeast(0, capacity, "capacity");
        }

        @Override
        public ImageKey key() {
            return new ImageKey.OfDelay(name);
        }
    }

    /**
     * A finished request that was named by an id.
     *
     * @param ordinal its place in the order of finishing, which is the order of forgetting, ≥ 1
     * @param request its id
     * @param past the answer
     * @param atNanos when it finished, in ns of lease time, ≥ 0
     */
    record OfFinished(long ordinal, RequestId request, Past past, long atNanos) implements Image {
        /** Refuses numbers out of range. */
        public OfFinished {
            Checks.atLeast(1, ordinal, "ordinal");
            Checks.atLeast(0, atNanos, "finished at");
        }

        @Override
        public ImageKey key() {
            return new ImageKey.OfFinished(ordinal);
        }
    }

    /**
     * An event, from feature level 2 on.
     *
     * @param event the event with its place
     */
    record OfEvent(LoggedEvent event) implements Image {
        @Override
        public ImageKey key() {
            return new ImageKey.OfEvent(event.ordinal());
        }
    }

    /**
     * A session that ended.
     *
     * @param ordinal its place in the order of ending, which is the order of forgetting, ≥ 1
     * @param session its id
     * @param how {@link End#RELEASED} if it was closed, {@link End#EXPIRED} if its lease ran out
     * @param atNanos when it ended, in ns of lease time, ≥ 0
     */
    record OfEnded(long ordinal, SessionId session, End how, long atNanos) implements Image {
        /** Refuses numbers out of range, and ends that a session cannot have. */
        public OfEnded {
            Checks.atLeast(1, ordinal, "ordinal");
            Checks.atLeast(0, atNanos, "ended at");
            if (how != End.RELEASED && how != End.EXPIRED) {
                throw new IllegalArgumentException("a session that ended as " + how);
            }
        }

        @Override
        public ImageKey key() {
            return new ImageKey.OfEnded(ordinal);
        }
    }
}
