package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Grants, ends and passes on holds; lets waiters join and leave. Remembers how each request ended. */
final class Grants {
    private final State state;

    Grants(State state) {
        this.state = state;
    }

    /** Gives a free lock to its first holder. */
    Hold grantFree(LockName name, Lease lease, List<Request> requests) {
        Hold hold = grant(name, lease, requests);
        state.locks.put(name, new Lock(hold));
        return hold;
    }

    Waiter enqueue(Lock lock, Lease lease, Command.Acquire acquire) {
        Waiter waiter = new Waiter(
                lock.name,
                lease,
                state.nextSequence(),
                state.appliedIndex(),
                state.clockNanos(),
                Waiter.deadline(state.clockNanos(), acquire.waitNanos()),
                List.of(acquire.request()));
        state.unsaved.made(waiter);
        if (waiter.hasDeadline()) {
            state.deadlines.add(waiter);
        }
        lock.enqueue(waiter);
        lease.attach(waiter);
        state.tell(new Event.Queued(lock.name, lease.owner()));
        return waiter;
    }

    /** Moves a wait deadline further away, never nearer. */
    void waitLonger(Waiter waiter, long waitNanos) {
        long deadline = Waiter.deadline(state.clockNanos(), waitNanos);
        if (deadline <= waiter.deadlineNanos()) {
            return;
        }
        state.unsaved.changed(waiter);
        if (deadline == Bounds.WAIT_FOREVER) {
            state.deadlines.remove(waiter);
            waiter.setDeadlineNanos(deadline);
        } else {
            state.deadlines.move(waiter, deadline);
        }
    }

    /** Changes which acquires a hold answers. */
    void answer(Hold hold, List<Request> requests) {
        hold.requests = requests;
        state.unsaved.changed(hold);
    }

    /** Changes which acquires wait here. */
    void answer(Waiter waiter, List<Request> requests) {
        waiter.requests = requests;
        state.unsaved.changed(waiter);
    }

    /** Takes a waiter out of its queue; its lease may be idle afterwards. */
    void leaveQueue(Waiter waiter, End how) {
        Lock lock = state.lock(waiter.name);
        if (lock != null) {
            lock.dequeue(waiter);
        }
        detach(waiter);
        waiter.requests.forEach(request -> remember(waiter.lease, request, Past.ended(how, Optional.empty())));
        state.tell(new Event.LeftQueue(waiter.name, waiter.lease.owner(), how));
        retireIfIdle(waiter.lease);
    }

    /** Ends a hold and, in the same entry, gives the lock to the next waiter that lives. */
    void end(Hold hold, End how) {
        hold.lease.detach(hold);
        state.unsaved.gone(hold);
        hold.requests.forEach(request -> remember(hold.lease, request, Past.ended(how, Optional.of(hold.token))));
        state.tell(new Event.HoldEnded(hold.name, hold.lease.owner(), hold.token, how));
        retireIfIdle(hold.lease);
        Lock lock = state.lock(hold.name);
        if (lock != null) {
            passOn(lock);
        }
    }

    /** Remembers how a request ended, where its retry will ask. */
    void remember(@Nullable Lease lease, Request request, Past past) {
        switch (request) {
            case Request.Identified one -> state.finished.remember(one.id(), past, state.clockNanos());
            case Request.Numbered one -> {
                if (lease instanceof Lease.OfSession session) {
                    session.answers.remember(one.number(), past);
                    state.unsaved.changed(session);
                }
            }
        }
    }

    /** Forgets the answers that the client of a session has seen. */
    void forgetSeen(Lease.OfSession session, long upTo) {
        if (session.answers.forgetUpTo(upTo)) {
            state.unsaved.changed(session);
        }
    }

    /** Makes the one-shot lease of a new hold or wait. */
    Lease openOneShot(Owner.OneShot owner, Command.Acquire acquire) {
        long deadline = state.clockNanos() + acquire.ttlNanos();
        Lease lease = new Lease.OfHold(owner, state.nextSequence(), deadline, acquire.ttlNanos(), acquire.label());
        state.deadlines.add(lease);
        state.leaseCount++;
        return lease;
    }

    private void passOn(Lock lock) {
        // Those that are due but not yet swept are gone already: nobody is granted a lock after its end (CASES E01).
        for (Optional<Waiter> next = lock.first(); next.isPresent(); next = lock.first()) {
            Waiter waiter = next.get();
            if (!waiter.isOver(state.clockNanos())) {
                lock.dequeue(waiter);
                detach(waiter);
                lock.passTo(grant(lock.name, waiter.lease, waiter.requests));
                return;
            }
            leaveQueue(waiter, waiter.lease.isDue(state.clockNanos()) ? End.EXPIRED : End.TIMED_OUT);
        }
        state.locks.remove(lock.name);
    }

    /** A grant is no renewal: the lease runs on from the last ask (invariant I4). */
    private Hold grant(LockName name, Lease lease, List<Request> requests) {
        Hold hold = new Hold(name, lease, state.nextToken(), state.appliedIndex(), state.clockNanos(), requests);
        state.unsaved.made(hold);
        lease.attach(hold);
        state.tell(new Event.Acquired(name, lease.owner(), hold.token));
        return hold;
    }

    private void detach(Waiter waiter) {
        state.deadlines.remove(waiter);
        state.unsaved.gone(waiter);
        waiter.lease.detach(waiter);
    }

    private void retireIfIdle(Lease lease) {
        if (lease instanceof Lease.OfHold && lease.isIdle() && lease.heapIndex >= 0) {
            state.deadlines.remove(lease);
            state.leaseCount--;
        }
    }

    /** All waits of a lease leave, then all its holds end: nothing passes to the dead. */
    void endAllWaits(Lease lease, End how) {
        new ArrayList<>(lease.waits()).forEach(waiter -> leaveQueue(waiter, how));
    }

    /** Ends all holds of a lease whose waits have left. */
    void endAllHolds(Lease lease, End how) {
        new ArrayList<>(lease.holds()).forEach(hold -> end(hold, how));
    }
}
