package io.holdfast.core;

import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A promise that lasts until its deadline in lease time unless it is renewed: a session, or one hold or wait of a one-shot owner. */
abstract sealed class Lease extends Timed {
    private long ttlNanos;

    /** How many of its waits are not known to end, to the search that {@link #seenBy} names. */
    int endlessWaits;

    private final String label;

    private Lease(long sequence, long deadlineNanos, long ttlNanos, String label) {
        super(sequence, deadlineNanos);
        this.ttlNanos = ttlNanos;
        this.label = label;
    }

    abstract Owner owner();

    /** What a snapshot keeps of it where it holds or waits. */
    abstract OwnerImage ownerImage();

    /** The records that change when this lease does: one, those of a set, or none while a one-shot lease has neither hold nor wait. */
    abstract Collection<? extends Kept> kept();

    /** Its holds, in an order that is the same on every node. */
    abstract Collection<Hold> holds();

    /** Its waits, in an order that is the same on every node; of a session, one for a set comes once for each lock. */
    abstract Collection<Waiter> waits();

    /** How many places it has in queues; one for a set counts once. */
    abstract int waitCount();

    abstract void attach(Hold hold);

    abstract void detach(Hold hold);

    abstract void attach(Waiter waiter);

    abstract void detach(Waiter waiter);

    final long ttlNanos() {
        return ttlNanos;
    }

    final void setTtlNanos(long nanos) {
        ttlNanos = nanos;
    }

    final String label() {
        return label;
    }

    final long remainingNanos(long clockNanos) {
        return Math.max(0, deadlineNanos() - clockNanos);
    }

    /** Nothing is held or waited for: a one-shot lease has then no reason to live. */
    final boolean isIdle() {
        return holds().isEmpty() && waits().isEmpty();
    }

    /** The lease of a session. */
    static final class OfSession extends Lease implements Kept {
        private final SessionId id;
        private final NavigableMap<LockName, Hold> holds = new TreeMap<>();
        private final NavigableMap<LockName, Waiter> waits = new TreeMap<>();
        private int waitCount;
        private final String metadata;

        /** Finished requests of this session that its client has not said to have seen answered. */
        final NumberedMemory answers = new NumberedMemory();

        OfSession(SessionId id, long sequence, long deadlineNanos, long ttlNanos, String label, String metadata) {
            super(sequence, deadlineNanos, ttlNanos, label);
            this.id = id;
            this.metadata = metadata;
        }

        String metadata() {
            return metadata;
        }

        SessionId id() {
            return id;
        }

        /** How many locks it holds or waits for. */
        int lockCount() {
            return holds.size() + waits.size();
        }

        SessionView view(long clockNanos) {
            return new SessionView(
                    id, label(), ttlNanos(), remainingNanos(clockNanos), holds.size(), waits.size(), metadata);
        }

        SessionClaims claims(long clockNanos, int most) {
            return new SessionClaims(
                    view(clockNanos),
                    holds.values().stream()
                            .limit(most)
                            .map(hold -> hold.view(clockNanos))
                            .toList(),
                    waits.keySet().stream().limit(most).toList());
        }

        @Override
        Owner owner() {
            return new Owner.OfSession(id);
        }

        @Override
        OwnerImage ownerImage() {
            return new OwnerImage.OfSession(id);
        }

        @Override
        Collection<? extends Kept> kept() {
            return List.of(this);
        }

        @Override
        public ImageKey key() {
            return new ImageKey.OfSession(id);
        }

        @Override
        public Image image() {
            return new Image.OfSession(
                    id, sequence, deadlineNanos(), ttlNanos(), label(), answers.seenUpTo(), answers.images(), metadata);
        }

        @Override
        Collection<Hold> holds() {
            return holds.values();
        }

        @Override
        Collection<Waiter> waits() {
            return waits.values();
        }

        @Override
        int waitCount() {
            return waitCount;
        }

        @Override
        void attach(Hold hold) {
            holds.put(hold.name, hold);
        }

        @Override
        void detach(Hold hold) {
            holds.remove(hold.name);
        }

        @Override
        void attach(Waiter waiter) {
            waitCount++;
            waiter.wants.forEach(want -> waits.put(want.name(), waiter));
        }

        @Override
        void detach(Waiter waiter) {
            waitCount--;
            waiter.wants.forEach(want -> waits.remove(want.name()));
        }
    }

    /** The lease of one hold, or of those granted as one; and before that of the wait for them. */
    static final class OfHold extends Lease {
        private final Owner.OneShot owner;
        private List<Hold> holds = List.of();
        private @Nullable Waiter wait;

        OfHold(Owner.OneShot owner, long sequence, long deadlineNanos, long ttlNanos, String label) {
            super(sequence, deadlineNanos, ttlNanos, label);
            this.owner = owner;
        }

        @Override
        Owner owner() {
            return owner;
        }

        @Override
        OwnerImage ownerImage() {
            return new OwnerImage.OneShot(owner, sequence, deadlineNanos(), ttlNanos(), label());
        }

        @Override
        Collection<? extends Kept> kept() {
            return holds.isEmpty() ? waits() : holds;
        }

        @Override
        Collection<Hold> holds() {
            return holds;
        }

        @Override
        Collection<Waiter> waits() {
            return wait == null ? List.of() : List.of(wait);
        }

        @Override
        int waitCount() {
            return wait == null ? 0 : 1;
        }

        @Override
        void attach(Hold attached) {
            holds = holds.isEmpty()
                    ? List.of(attached)
                    : Stream.concat(holds.stream(), Stream.of(attached)).toList();
        }

        @Override
        void detach(Hold detached) {
            holds = holds.size() == 1
                    ? List.of()
                    : holds.stream().filter(hold -> hold != detached).toList();
        }

        @Override
        void attach(Waiter attached) {
            wait = attached;
        }

        @Override
        void detach(Waiter detached) {
            wait = null;
        }
    }
}
