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
        List<Notice> revoked = new ArrayList<>();
        for (int i = 0; i < state.limits.expiryBatch(); i++) {
            Optional<Timed> due = state.deadlines.earliest().filter(it -> it.isDue(state.clockNanos()));
            if (due.isEmpty()) {
                break;
            }
            switch (due.get()) {
                case Waiter waiter ->
                    grants.leaveQueue(waiter, waiter.lease.isDue(state.clockNanos()) ? End.EXPIRED : End.TIMED_OUT);
                case Delay delay -> grants.endPause(delay);
                case Notice notice -> {
                    state.deadlines.remove(notice);
                    revoked.add(notice);
                }
                case Lease lease -> {
                    retire(lease);
                    grants.endAllWaits(lease, End.EXPIRED);
                    dead.add(lease);
                }
            }
        }
        grants.moveOn();
        for (Lease lease : dead) {
            bury(lease, End.EXPIRED);
        }
        for (Notice notice : revoked) {
            // Some holds have ended with their lease by now.
            if (notice.hold.notice == notice) {
                grants.end(notice.hold, End.REVOKED);
            }
        }
    }

    /** The session, if it lives; one that is due but not yet swept is expired on the spot. */
    Lease.@Nullable OfSession session(SessionId id) {
        Lease.OfSession session = state.sessions.get(id);
        return session == null || expireIfDue(session) ? null : session;
    }

    /** The lock as a command may see it: holders that are due but not yet swept are expired first, and who comes next has it. */
    @Nullable
    Lock lock(LockName name) {
        Lock lock = state.lock(name);
        // Mostly the sweep has left nothing; and within an entry nothing more becomes due.
        while (lock != null && state.hasDue() && lock.settledIndex != state.appliedIndex()) {
            Hold over = lock.holders.firstOver(state.clockNanos());
            if (over == null) {
                if (lock.delay != null && lock.delay.isDue(state.clockNanos())) {
                    grants.endPause(lock.delay);
                }
                lock.settledIndex = state.appliedIndex();
                grants.moveOn(lock);
            } else if (!expireIfDue(over.lease)) {
                grants.end(over, End.REVOKED);
            }
            lock = state.lock(name);
        }
        return lock;
    }

    /** The lock as a command of this owner may see it: its own place in the queue leaves if it is due but not yet swept. */
    @Nullable
    Lock lock(LockName name, Owner owner) {
        Lock lock = lock(name);
        Waiter waiter = lock == null ? null : lock.queue.of(owner);
        if (waiter == null || expireIfDue(waiter.lease) || !waiter.isDue(state.clockNanos())) {
            return state.lock(name);
        }
        grants.leaveQueue(waiter, End.TIMED_OUT);
        grants.moveOn();
        return state.lock(name);
    }

    Lease.OfSession open(SessionId id, long ttlNanos, String label, String metadata) {
        Lease.OfSession session =
                new Lease.OfSession(id, state.nextSequence(), state.clockNanos() + ttlNanos, ttlNanos, label, metadata);
        state.sessions.put(id, session);
        state.unsaved.made(session);
        state.deadlines.add(session);
        state.leaseCount++;
        state.tell(new Event.SessionOpened(id, label));
        return session;
    }

    /** Makes the one-shot lease of a new hold or wait. */
    Lease openOneShot(Owner.OneShot owner, long ttlNanos, String label) {
        Lease lease = new Lease.OfHold(owner, state.nextSequence(), state.clockNanos() + ttlNanos, ttlNanos, label);
        state.deadlines.add(lease);
        state.leaseCount++;
        return lease;
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
        grants.moveOn();
        bury(session, End.RELEASED);
    }

    private boolean expireIfDue(Lease lease) {
        if (!lease.isDue(state.clockNanos())) {
            return false;
        }
        expire(lease);
        return true;
    }

    private void expire(Lease lease) {
        retire(lease);
        grants.endAllWaits(lease, End.EXPIRED);
        grants.moveOn();
        bury(lease, End.EXPIRED);
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
            state.tell(new Event.SessionEnded(session.id(), session.label(), how));
        } else {
            grants.endAllHolds(lease, how);
        }
    }
}
