package io.holdfast.core;

import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a state of the records of a snapshot, and refuses those that no state can have left behind: better no node than one that disagrees with the others.
 */
final class Restore {
    private final State state;
    private final StoreImage store;

    /** The first hold of each set, by the token of the set. */
    private final NavigableMap<FencingToken, Hold> sets = new TreeMap<>();

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
        restore.state.locks.values().forEach(Restore::requireReason);
        require(restore.state.ring.isComplete(), "the last events are not there");
        requireDistinct(restore.sequences, "sequence");
        requireDistinct(restore.tokens, "token");
        return restore.state;
    }

    private void add(Image image) {
        switch (image) {
            case Image.OfSession it -> session(it);
            case Image.OfLock it -> hold(it);
            case Image.OfWaiter it -> waiter(it);
            case Image.OfDelay it -> delay(it);
            case Image.OfFinished it -> finished(it);
            case Image.OfEnded it -> ended(it);
            case Image.OfEvent it -> event(it.event());
        }
    }

    private void session(Image.OfSession it) {
        Lease.OfSession session = new Lease.OfSession(
                it.session(), it.sequence(), it.deadlineNanos(), it.ttlNanos(), it.label(), it.metadata());
        session.answers.restore(it.seenUpTo(), it.answers());
        require(state.sessions.put(it.session(), session) == null, "there are two of it");
        begin(session);
    }

    private void hold(Image.OfLock it) {
        Owner owner = it.owner().owner();
        Lock lock = lock(new Want(it.name(), it.terms()), owner);
        require(lock.hasRoomFor(it.terms().mode()), "another hold excludes it");
        requireUpTo(store.lastToken(), it.token().value(), "token");
        requireUpTo(store.appliedIndex(), it.logIndex(), "log index");
        requireUpTo(store.clockNanos(), it.grantedAtNanos(), "granted at");
        Hold sibling = it.setRequests().isEmpty() ? null : sets.get(it.token());
        Lease lease = sibling == null ? lease(it.owner()) : sibling.lease;
        Hold hold =
                new Hold(it.name(), lease, it.token(), it.logIndex(), it.grantedAtNanos(), it.requests(), it.terms());
        if (sibling != null) {
            join(hold, it, sibling);
        } else {
            tokens.add(it.token().value());
            if (!it.setRequests().isEmpty()) {
                hold.set = new HoldSet(it.setRequests());
                hold.set.live.add(hold);
                sets.put(it.token(), hold);
            }
        }
        it.revocation().ifPresent(revocation -> revoke(hold, revocation));
        lease.attach(hold);
        lock.holders.add(hold);
    }

    private void revoke(Hold hold, Image.Revocation it) {
        number(it.sequence());
        hold.notice = new Notice(hold, it.sequence(), it.deadlineNanos(), it.reason(), it.by());
        state.deadlines.add(hold.notice);
    }

    /** Puts a hold into the set to which one belongs that was there before. */
    private static void join(Hold hold, Image.OfLock it, Hold sibling) {
        HoldSet set = Objects.requireNonNull(sibling.set);
        boolean isLike = sibling.lease.ownerImage().equals(it.owner())
                && sibling.logIndex == it.logIndex()
                && sibling.grantedAtNanos == it.grantedAtNanos()
                && set.requests.equals(it.setRequests());
        require(isLike, "it is not like " + sibling.name + ", which is of the same set");
        hold.set = set;
        set.live.add(hold);
        // The records may come in the order of bytes, which is not quite that of names.
        set.live.sort(Comparator.comparing(one -> one.name));
    }

    private void waiter(Image.OfWaiter it) {
        requireUpTo(store.appliedIndex(), it.logIndex(), "log index");
        requireUpTo(store.clockNanos(), it.queuedAtNanos(), "queued at");
        number(it.sequence());
        List<Want> wants = it.wants();
        for (Want want : wants) {
            var unused = lock(want, it.owner().owner());
        }
        Lease lease = lease(it.owner());
        Waiter waiter = new Waiter(
                wants, lease, it.sequence(), it.logIndex(), it.queuedAtNanos(), it.deadlineNanos(), it.requests());
        if (waiter.hasDeadline()) {
            state.deadlines.add(waiter);
        }
        state.join(waiter);
    }

    private void delay(Image.OfDelay it) {
        Lock lock = lock(it.name(), it.capacity());
        require(lock.delay == null, "there are two of it");
        number(it.sequence());
        lock.delay = new Delay(lock, it.sequence(), it.deadlineNanos());
        state.deadlines.add(lock.delay);
    }

    /** The lock as far as it is restored, where this owner has no part in it yet. */
    private Lock lock(Want want, Owner owner) {
        Lock lock = lock(want.name(), want.terms().mode().capacity());
        require(lock.holders.of(owner) == null, owner + " holds the lock already");
        require(lock.queue.of(owner) == null, owner + " waits already");
        return lock;
    }

    private Lock lock(LockName name, int capacity) {
        Lock lock = state.lockFor(name, capacity);
        require(lock.capacity == capacity, "others say that the capacity of " + name + " is " + lock.capacity);
        return lock;
    }

    /** Who is the first in the queue of a free lock waits for others too: else it would have been granted. */
    private static void requireReason(Lock lock) {
        Waiter first = lock.queue.first();
        require(
                !lock.holders.isEmpty() || lock.delay != null || (first != null && first.isForSet()),
                lock.name + ": nobody holds the lock, and there are some who wait");
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

    private void event(LoggedEvent it) {
        requireUpTo(store.appliedIndex(), it.logIndex(), "log index");
        requireUpTo(store.clockNanos(), it.leaseTimeNanos(), "lease time");
        state.ring.restore(it);
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
