package io.holdfast.core;

import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a state of the records of a snapshot, and refuses those that no state can have left behind: better no node than one that disagrees with the others.
 */
final class Restore {
    private final State state;
    private final StoreImage store;
    private final LongStream.Builder sequences = LongStream.builder();
    private final LongStream.Builder tokens = LongStream.builder();

    private Restore(Limits limits, StoreImage store) {
        this.state = new State(limits, store);
        this.store = store;
        requireUpTo(store.clockNanos(), store.finished().crowdedOutUpToNanos(), "finished: crowded out up to");
        requireUpTo(store.clockNanos(), store.ended().crowdedOutUpToNanos(), "ended: crowded out up to");
    }

    static State of(Limits limits, StoreImage store, Iterable<Image> images) {
        Restore restore = new Restore(limits, store);
        for (Image image : images) {
            try {
                restore.add(image);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(image.key() + ": " + e.getMessage(), e);
            }
        }
        requireDistinct(restore.sequences, "sequence");
        requireDistinct(restore.tokens, "token");
        return restore.state;
    }

    private void add(Image image) {
        switch (image) {
            case Image.OfSession it -> session(it);
            case Image.OfLock it -> lock(it);
            case Image.OfWaiter it -> waiter(it);
            case Image.OfFinished it -> finished(it);
            case Image.OfEnded it -> ended(it);
        }
    }

    private void session(Image.OfSession it) {
        Lease.OfSession session =
                new Lease.OfSession(it.session(), it.sequence(), it.deadlineNanos(), it.ttlNanos(), it.label());
        session.answers.restore(it.seenUpTo(), it.answers());
        require(state.sessions.put(it.session(), session) == null, "there are two of it");
        begin(session);
    }

    private void lock(Image.OfLock it) {
        Lock lock = state.locks.computeIfAbsent(
                it.name(), name -> new Lock(name, it.terms().mode().capacity()));
        require(lock.capacity == it.terms().mode().capacity(), "another hold has another capacity");
        require(lock.hasRoomFor(it.terms().mode()), "another hold excludes it");
        Owner owner = it.owner().owner();
        require(lock.holders.of(owner) == null, owner + " holds the lock already");
        requireUpTo(store.lastToken(), it.token().value(), "token");
        requireUpTo(store.appliedIndex(), it.logIndex(), "log index");
        requireUpTo(store.clockNanos(), it.grantedAtNanos(), "granted at");
        tokens.add(it.token().value());
        Lease lease = lease(it.owner());
        Hold hold =
                new Hold(it.name(), lease, it.token(), it.logIndex(), it.grantedAtNanos(), it.requests(), it.terms());
        lease.attach(hold);
        lock.holders.add(hold);
    }

    private void waiter(Image.OfWaiter it) {
        Lock lock = state.lock(it.name());
        if (lock == null) {
            throw new IllegalArgumentException("nobody holds the lock");
        }
        Owner owner = it.owner().owner();
        require(lock.capacity == it.terms().mode().capacity(), "those who hold the lock have another capacity");
        require(lock.holders.of(owner) == null, owner + " holds the lock already");
        require(lock.queue.of(owner) == null, owner + " waits already");
        requireUpTo(store.appliedIndex(), it.logIndex(), "log index");
        requireUpTo(store.clockNanos(), it.queuedAtNanos(), "queued at");
        number(it.sequence());
        Lease lease = lease(it.owner());
        Waiter waiter = new Waiter(
                it.name(),
                lease,
                it.sequence(),
                it.logIndex(),
                it.queuedAtNanos(),
                it.deadlineNanos(),
                it.requests(),
                it.terms());
        if (waiter.hasDeadline()) {
            state.deadlines.add(waiter);
        }
        lock.queue.add(waiter);
        lease.attach(waiter);
    }

    private void finished(Image.OfFinished it) {
        requireUpTo(store.clockNanos(), it.atNanos(), "finished at");
        state.finished.restore(it.ordinal(), it.request(), it.past(), it.atNanos());
    }

    private void ended(Image.OfEnded it) {
        requireUpTo(store.clockNanos(), it.atNanos(), "ended at");
        require(!state.sessions.containsKey(it.session()), it.session() + " lives");
        state.endedSessions.restore(it.ordinal(), it.session(), it.how(), it.atNanos());
    }

    private Lease lease(OwnerImage owner) {
        return switch (owner) {
            case OwnerImage.OfSession it -> {
                Lease.@Nullable OfSession session = state.sessions.get(it.session());
                if (session == null) {
                    throw new IllegalArgumentException("there is no session " + it.session());
                }
                yield session;
            }
            case OwnerImage.OneShot it -> {
                Lease lease =
                        new Lease.OfHold(it.owner(), it.sequence(), it.deadlineNanos(), it.ttlNanos(), it.label());
                begin(lease);
                yield lease;
            }
        };
    }

    private void begin(Lease lease) {
        number(lease.sequence);
        state.deadlines.add(lease);
        state.leaseCount++;
    }

    private void number(long sequence) {
        requireUpTo(store.lastSequence(), sequence, "sequence");
        sequences.add(sequence);
    }

    private static void requireUpTo(long most, long value, String what) {
        require(value <= most, what + " is " + value + ", and the store has come to " + most + " only");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Two with one number would be taken in an order that may differ from node to node. */
    private static void requireDistinct(LongStream.Builder numbers, String what) {
        long[] sorted = numbers.build().sorted().toArray();
        for (int i = 1; i < sorted.length; i++) {
            require(sorted[i - 1] != sorted[i], what + " " + sorted[i] + " was given out twice");
        }
    }
}
