package io.holdfast.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Grants, ends and passes on holds; lets waiters join and leave. */
final class Grants {
    private final State state;
    private final Memory memory;

    /** Locks whose first in the queue may be another than before. Empty between two commands. */
    private final Deque<Lock> touched = new ArrayDeque<>();

    Grants(State state, Memory memory) {
        this.state = state;
        this.memory = memory;
    }

    /** Gives a lock that is open to it to one who need not wait. */
    Hold grantOpen(Want want, Lease lease, List<Request> requests) {
        return grant(lockFor(want), lease, state.nextToken(), requests, want.terms());
    }

    /** Gives locks that are open to it to one who need not wait, all of them under one token. */
    HoldSet grantOpen(List<Want> wants, Lease lease, List<Request> requests) {
        HoldSet set = new HoldSet(requests);
        FencingToken token = state.nextToken();
        for (Want want : wants) {
            Hold hold = grant(lockFor(want), lease, token, List.of(), want.terms());
            hold.set = set;
            set.live.add(hold);
        }
        return set;
    }

    Waiter enqueue(List<Want> wants, Lease lease, Request request, long waitNanos) {
        Waiter waiter = new Waiter(
                wants,
                lease,
                state.nextSequence(),
                state.appliedIndex(),
                state.clockNanos(),
                Waiter.deadline(state.clockNanos(), waitNanos),
                List.of(request));
        state.unsaved.made(waiter);
        if (waiter.hasDeadline()) {
            state.deadlines.add(waiter);
        }
        state.join(waiter);
        for (Want want : wants) {
            state.tell(new Event.Queued(
                    want.name(), lease.owner(), lease.label(), want.terms().mode()));
        }
        return waiter;
    }

    private Lock lockFor(Want want) {
        return state.lockFor(want.name(), want.terms().mode().capacity());
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

    /** Changes which acquires of a set its holds answer. */
    void answer(HoldSet set, List<Request> requests) {
        set.requests = requests;
        set.live.forEach(state.unsaved::changed);
    }

    /** Takes a waiter out of its queues; its lease may be idle afterwards. Those behind it {@link #moveOn} later. */
    void leaveQueue(Waiter waiter, End how) {
        takeOut(waiter);
        waiter.requests.forEach(request -> memory.remember(waiter.lease, request, Past.ended(how, Optional.empty())));
        waiter.wants.forEach(
                want -> state.tell(new Event.LeftQueue(want.name(), waiter.lease.owner(), waiter.lease.label(), how)));
        retireIfIdle(waiter.lease);
    }

    /** Ends a hold and, in the same entry, gives the lock to the next that live. */
    void end(Hold hold, End how) {
        Lock lock = takeAway(hold, how);
        state.tell(new Event.HoldEnded(hold.name, hold.lease.owner(), hold.lease.label(), hold.token, how));
        retireIfIdle(hold.lease);
        if (how == End.EXPIRED || how == End.REVOKED) {
            pause(lock, hold.terms.lockDelayNanos());
        }
        touched.add(lock);
        moveOn();
    }

    /** Keeps the lock from everybody for a while; a pause that there is already is not made shorter. */
    private void pause(Lock lock, long nanos) {
        long deadline = state.clockNanos() + nanos;
        if (nanos == 0) {
            return;
        }
        if (lock.delay == null) {
            lock.delay = new Delay(lock, state.nextSequence(), deadline);
            state.unsaved.made(lock.delay);
            state.deadlines.add(lock.delay);
        } else if (deadline > lock.delay.deadlineNanos()) {
            state.deadlines.move(lock.delay, deadline);
            state.unsaved.changed(lock.delay);
        }
    }

    /** A pause is over. Those who wait {@link #moveOn} later. */
    void endPause(Delay delay) {
        state.deadlines.remove(delay);
        state.unsaved.gone(delay);
        delay.lock.delay = null;
        touched.add(delay.lock);
    }

    /** Publishes another value. */
    void proclaim(Hold hold, String value) {
        hold.terms = hold.terms.withValue(value);
        state.unsaved.changed(hold);
        state.tell(new Event.ValueChanged(hold.name, hold.lease.owner(), hold.lease.label(), hold.token, value));
    }

    /** Takes some of the permits back that a hold has, and gives them to the next that live. */
    void reduce(Hold hold, int by) {
        Lock lock = lock(hold.name);
        lock.holders.reduce(hold, by);
        state.unsaved.changed(hold);
        state.tell(new Event.PermitsReleased(
                hold.name, hold.lease.owner(), hold.lease.label(), hold.token, by, hold.permits()));
        touched.add(lock);
        moveOn();
    }

    /** Tells a holder to stop, and ends the hold if it does not. A notice that there is already is only ever made to come earlier. */
    void revoke(Hold hold, long graceNanos, String reason, String by) {
        long deadline = state.clockNanos() + graceNanos;
        if (hold.notice != null && hold.notice.deadlineNanos() <= deadline) {
            return;
        }
        if (hold.notice != null) {
            state.deadlines.remove(hold.notice);
        }
        hold.notice = new Notice(hold, state.nextSequence(), deadline, reason, by);
        state.deadlines.add(hold.notice);
        state.unsaved.changed(hold);
        state.tell(new Event.Revoking(
                hold.name, hold.lease.owner(), hold.lease.label(), hold.token, deadline, reason, by));
    }

    /** Puts another hold in the place of one; nobody gets in between. A revocation goes on. */
    Hold convert(Hold before, Request request, Terms terms) {
        Notice notice = before.notice;
        before.notice = null;
        Lock lock = takeAway(before, End.CONVERTED);
        Hold hold = newHold(lock, before.lease, state.nextToken(), List.of(request), terms);
        if (notice != null) {
            notice.hold = hold;
            hold.notice = notice;
        }
        state.tell(new Event.Converted(
                lock.name, hold.lease.owner(), hold.lease.label(), before.token, hold.token, terms.mode()));
        touched.add(lock);
        moveOn();
        return hold;
    }

    /** Puts a hold of another owner in the place of one; nobody gets in between. */
    Hold handOff(Hold before, Lease lease, @Nullable Waiter waiter) {
        Lock lock = takeAway(before, End.HANDED_OFF);
        Terms terms = before.terms.withValue("");
        List<Request> requests = List.of();
        if (waiter != null) {
            takeOut(waiter);
            requests = waiter.requests;
            terms = waiter.termsOf(lock.name);
        }
        Hold hold = newHold(lock, lease, state.nextToken(), requests, terms);
        state.tell(new Event.HandedOff(
                lock.name,
                before.lease.owner(),
                before.lease.label(),
                before.token,
                lease.owner(),
                lease.label(),
                hold.token,
                terms.mode(),
                terms.value()));
        retireIfIdle(before.lease);
        touched.add(lock);
        moveOn();
        return hold;
    }

    private Lock takeAway(Hold hold, End how) {
        hold.lease.detach(hold);
        state.unsaved.gone(hold);
        if (hold.notice != null) {
            state.deadlines.remove(hold.notice);
            hold.notice = null;
        }
        Past past = Past.ended(how, Optional.of(hold.token));
        hold.requests.forEach(request -> memory.remember(hold.lease, request, past));
        if (hold.set != null) {
            hold.set.live.remove(hold);
            if (hold.set.live.isEmpty()) {
                hold.set.requests.forEach(request -> memory.remember(hold.lease, request, past));
            }
        }
        Lock lock = lock(hold.name);
        lock.holders.remove(hold);
        return lock;
    }

    /** Looks at a lock whose first in the queue may have become one that can be granted. */
    void moveOn(Lock lock) {
        touched.add(lock);
        moveOn();
    }

    /** Grants what can be granted now where a waiter left or a hold ended; forgets the locks that nobody wants. */
    void moveOn() {
        for (Lock lock = touched.poll(); lock != null; lock = touched.poll()) {
            passOn(lock);
            if (lock.isEmpty()) {
                state.forget(lock);
            }
        }
    }

    /** Grants in the order of coming, until one cannot be granted: nobody overtakes. */
    private void passOn(Lock lock) {
        for (Waiter first = lock.queue.first(); first != null && !lock.isHeldAlone(); first = lock.queue.first()) {
            // Those that are due but not yet swept are gone already: nobody is granted a lock after its end (CASES
            // E01).
            if (first.isOver(state.clockNanos())) {
                leaveQueue(first, first.overBy(state.clockNanos()));
            } else if (isTurnOf(first)) {
                takeOut(first);
                grantWhatItWaitedFor(first);
            } else {
                return;
            }
        }
    }

    /** Whether it is the first everywhere, and there is room for it everywhere. */
    private boolean isTurnOf(Waiter waiter) {
        for (Want want : waiter.wants) {
            Lock lock = lock(want.name());
            if (lock.queue.first() != waiter || !lock.hasRoomFor(want.terms().mode())) {
                return false;
            }
        }
        return true;
    }

    private void grantWhatItWaitedFor(Waiter waiter) {
        if (waiter.isForSet()) {
            grantOpen(waiter.wants, waiter.lease, waiter.requests);
        } else {
            grantOpen(waiter.wants.get(0), waiter.lease, waiter.requests);
        }
    }

    /** Out of its queues; where it was the first, whoever comes next may be granted. */
    private void takeOut(Waiter waiter) {
        for (Want want : waiter.wants) {
            Lock lock = lock(want.name());
            if (lock.queue.first() == waiter) {
                touched.add(lock);
            }
        }
        state.leave(waiter);
        state.deadlines.remove(waiter);
        state.unsaved.gone(waiter);
    }

    private Hold grant(Lock lock, Lease lease, FencingToken token, List<Request> requests, Terms terms) {
        Hold hold = newHold(lock, lease, token, requests, terms);
        state.tell(
                new Event.Acquired(lock.name, lease.owner(), lease.label(), hold.token, terms.mode(), terms.value()));
        return hold;
    }

    /** A grant is no renewal: the lease runs on from the last ask (invariant I4). */
    private Hold newHold(Lock lock, Lease lease, FencingToken token, List<Request> requests, Terms terms) {
        Hold hold = new Hold(lock.name, lease, token, state.appliedIndex(), state.clockNanos(), requests, terms);
        state.unsaved.made(hold);
        lease.attach(hold);
        lock.holders.add(hold);
        return hold;
    }

    private Lock lock(LockName name) {
        return Objects.requireNonNull(state.lock(name));
    }

    private void retireIfIdle(Lease lease) {
        if (lease instanceof Lease.OfHold && lease.isIdle() && lease.heapIndex >= 0) {
            state.deadlines.remove(lease);
            state.leaseCount--;
        }
    }

    /** All waits of a lease leave before any of its holds ends: nothing passes to the dead. Those behind {@link #moveOn} later. */
    void endAllWaits(Lease lease, End how) {
        // One for a set comes once for each of its locks.
        new LinkedHashSet<>(lease.waits()).forEach(waiter -> leaveQueue(waiter, how));
    }

    /** Ends all holds of a lease whose waits have left. */
    void endAllHolds(Lease lease, End how) {
        new ArrayList<>(lease.holds()).forEach(hold -> end(hold, how));
    }
}
