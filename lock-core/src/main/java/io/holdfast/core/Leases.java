package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens, renews, ends and expires leases. */
final class Leases {
    private final State state;
    private final Grants grants;

    Leases(State state, Grants grants) {
        this.state = state;
        this.grants = grants;
    }

    /**
     * Expires what is due, at most a batch of it; the leader follows up with the next entry.
     *
     * <p>All that are due leave their queues before any lock moves on.
     */
    void sweep() {
        List<Lease> dead = new ArrayList<>();
        for (int i = 0; i < state.limits.expiryBatch(); i++) {
            Optional<Timed> due = state.deadlines.earliest().filter(it -> it.isDue(state.clockNanos()));
            if (due.isEmpty()) {
                break;
            }
            switch (due.get()) {
                case Waiter waiter ->
                    grants.leaveQueue(waiter, waiter.lease.isDue(state.clockNanos()) ? End.EXPIRED : End.TIMED_OUT);
                case Lease lease -> {
                    retire(lease);
                    grants.endAllWaits(lease, End.EXPIRED);
                    dead.add(lease);
                }
            }
        }
        for (Lease lease : dead) {
            bury(lease, End.EXPIRED);
        }
    }

    /** The session, if it lives; one that is due but not yet swept is expired on the spot. */
    Lease.@Nullable OfSession session(SessionId id) {
        Lease.OfSession session = state.sessions.get(id);
        return session == null || expireIfDue(session) ? null : session;
    }

    /** The lock as a command may see it: a holder that is due but not yet swept is expired first. */
    @Nullable
    Lock lock(LockName name) {
        for (Lock lock = state.lock(name); lock != null; lock = state.lock(name)) {
            if (!expireIfDue(lock.hold().lease)) {
                return lock;
            }
        }
        return null;
    }

    /** The owner's place in the queue, if it still counts. */
    @Nullable
    Waiter waiter(Lock lock, Owner owner) {
        Waiter waiter = lock.waiterOf(owner);
        if (waiter == null) {
            return null;
        }
        if (expireIfDue(waiter.lease)) {
            return null;
        }
        if (waiter.isDue(state.clockNanos())) {
            grants.leaveQueue(waiter, End.TIMED_OUT);
            return null;
        }
        return waiter;
    }

    Lease.OfSession open(SessionId id, long ttlNanos, String label) {
        Lease.OfSession session =
                new Lease.OfSession(id, state.nextSequence(), state.clockNanos() + ttlNanos, ttlNanos, label);
        state.sessions.put(id, session);
        state.unsaved.made(session);
        state.deadlines.add(session);
        state.leaseCount++;
        state.tell(new Event.SessionOpened(id));
        return session;
    }

    /** Never shortens: what a client was given it may count on (invariant I3). */
    void renew(Lease lease) {
        long deadline = state.clockNanos() + lease.ttlNanos();
        if (deadline > lease.deadlineNanos()) {
            state.deadlines.move(lease, deadline);
            state.changed(lease);
        }
    }

    /** Counts from the next renewal on. */
    void setTtl(Lease lease, long ttlNanos) {
        lease.setTtlNanos(ttlNanos);
        state.changed(lease);
    }

    void close(Lease.OfSession session) {
        retire(session);
        grants.endAllWaits(session, End.GAVE_UP);
        bury(session, End.RELEASED);
    }

    private boolean expireIfDue(Lease lease) {
        if (!lease.isDue(state.clockNanos())) {
            return false;
        }
        retire(lease);
        grants.endAllWaits(lease, End.EXPIRED);
        bury(lease, End.EXPIRED);
        return true;
    }

    private void retire(Lease lease) {
        state.deadlines.remove(lease);
        state.leaseCount--;
    }

    private void bury(Lease lease, End how) {
        if (lease instanceof Lease.OfSession session) {
            state.sessions.remove(session.id());
            state.endedSessions.remember(session.id(), how, state.clockNanos());
            grants.endAllHolds(lease, how);
            // Last: the ends of its holds were answers of this session still.
            state.unsaved.gone(session);
            state.tell(new Event.SessionEnded(session.id(), how));
        } else {
            grants.endAllHolds(lease, how);
        }
    }
}
