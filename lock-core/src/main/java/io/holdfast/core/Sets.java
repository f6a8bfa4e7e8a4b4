package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Carries out what is asked for several locks as one. */
final class Sets {
    private final State state;
    private final Grants grants;
    private final Leases leases;
    private final Memory memory;
    private final Deadlocks deadlocks;

    Sets(State state, Grants grants, Leases leases, Memory memory, Deadlocks deadlocks) {
        this.state = state;
        this.grants = grants;
        this.leases = leases;
        this.memory = memory;
        this.deadlocks = deadlocks;
    }

    Outcome acquire(Command.AcquireAll all, Lease.@Nullable OfSession session) {
        HoldSet held = held(all);
        if (held != null) {
            return granted(held);
        }
        Waiter waiting = waiting(all);
        if (waiting != null) {
            return queued(waiting);
        }
        Optional<Outcome> refusal = memory.refusalToRemember(all.request(), session);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        for (Want want : all.wants()) {
            if (hold(want, all.owner()) != null || waiter(want, all.owner()) != null) {
                return askAnew(all, session, want);
            }
        }
        return refusalOfNew(all, session).orElseGet(() -> takeOrQueue(all, session));
    }

    private Outcome takeOrQueue(Command.AcquireAll all, Lease.@Nullable OfSession session) {
        Optional<Want> closed =
                all.wants().stream().filter(want -> !isOpen(want)).findFirst();
        List<Request> requests = List.of(all.request());
        if (closed.isEmpty()) {
            return granted(grants.grantOpen(all.wants(), leaseFor(all, session), requests));
        }
        if (all.waitNanos() == 0) {
            return refused(
                    all,
                    session,
                    Past.Answer.HELD,
                    new Outcome.Held(state.holder(closed.get().name())));
        }
        boolean isFull = all.wants().stream()
                .map(want -> state.lock(want.name()))
                .anyMatch(lock -> lock != null && lock.queue.size() >= state.limits.waitersPerLock());
        if (isFull) {
            return new Outcome.LimitReached("waiters of one lock", state.limits.waitersPerLock());
        }
        List<WaitEdge> cycle =
                session == null || all.allowDeadlock() ? List.of() : deadlocks.cycle(session, all.wants());
        return cycle.isEmpty()
                ? queued(grants.enqueue(all.wants(), leaseFor(all, session), all.request(), all.waitNanos()))
                : refused(all, session, Past.Answer.DEADLOCK, new Outcome.Deadlock(cycle));
    }

    /** Another request of an owner that has one of the locks already, as this set or otherwise. */
    private Outcome askAnew(Command.AcquireAll all, Lease.@Nullable OfSession session, Want has) {
        if (session == null) {
            return refused(all, null, Past.Answer.OWNER_BUSY, new Outcome.OwnerBusy(state.holder(has.name())));
        }
        Hold hold = hold(has, all.owner());
        HoldSet set = hold == null ? null : hold.set;
        Waiter waiter = waiter(has, all.owner());
        boolean isHeld = set != null && set.isFor(all.wants());
        if (!isHeld && (waiter == null || !waiter.isFor(all.wants()))) {
            return refused(all, session, Past.Answer.PART_OF_SET, new Outcome.PartOfSet(has.name()));
        }
        if (!isHeld && all.waitNanos() == 0) {
            return refused(all, session, Past.Answer.HELD, new Outcome.Held(blocker(Objects.requireNonNull(waiter))));
        }
        List<Request> answered =
                isHeld ? Objects.requireNonNull(set).requests : Objects.requireNonNull(waiter).requests;
        List<Request> open = Sendings.with(Sendings.unseen(answered, session), all.request());
        if (open.size() > Acquires.MAX_ALIASES) {
            return new Outcome.LimitReached("open acquires of one session for one set", Acquires.MAX_ALIASES);
        }
        if (set != null) {
            grants.answer(set, open);
            return granted(set);
        }
        Waiter waits = Objects.requireNonNull(waiter);
        grants.answer(waits, open);
        grants.waitLonger(waits, all.waitNanos());
        return queued(waits);
    }

    private Optional<Outcome> refusalOfNew(Command.AcquireAll all, Lease.@Nullable OfSession session) {
        Limits limits = state.limits;
        if (all.wants().size() > limits.locksPerSet()) {
            return Optional.of(new Outcome.LimitReached("locks of one set", limits.locksPerSet()));
        }
        if (session != null && session.lockCount() + all.wants().size() > limits.locksPerSession()) {
            return Optional.of(new Outcome.LimitReached("locks of one session", limits.locksPerSession()));
        }
        if (session == null && state.leaseCount >= limits.leases()) {
            return Optional.of(new Outcome.LimitReached("leases of the store", limits.leases()));
        }
        Optional<Outcome> ofNames =
                state.refusalOfNames(all.wants().stream().map(Want::name).toList());
        if (ofNames.isPresent()) {
            return ofNames;
        }
        for (Want want : all.wants()) {
            Lock lock = state.lock(want.name());
            if (lock != null && lock.capacity != want.terms().mode().capacity()) {
                Outcome other = new Outcome.OtherKind(want.name(), lock.capacity);
                return Optional.of(refused(all, session, Past.Answer.OTHER_KIND, other));
            }
        }
        return Optional.empty();
    }

    Outcome release(Command.ReleaseAll all, Lease.@Nullable OfSession session) {
        Optional<Outcome> refusal = memory.refusalToRemember(all.request(), session);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        List<Hold> holds = new ArrayList<>();
        for (LockName name : all.names()) {
            Lock lock = state.lock(name);
            Hold hold = lock == null ? null : lock.holders.of(all.owner());
            if (hold != null && (all.token().isEmpty() || all.token().get().equals(hold.token))) {
                holds.add(hold);
            }
        }
        Optional<FencingToken> last = holds.stream().map(hold -> hold.token).max(FencingToken::compareTo);
        if (last.isEmpty()) {
            return refused(all, session, Past.Answer.NOT_HELD, new Outcome.NotHeld(state.holder(all.name())));
        }
        memory.remember(session, all.request(), Past.released(last.get()));
        holds.forEach(hold -> grants.end(hold, End.RELEASED));
        return new Outcome.Released(last.get());
    }

    /** How the acquire of a set stands that is held or waits; empty if it is neither. Touches nothing. */
    Optional<Outcome> present(Command.AcquireAll all) {
        HoldSet held = held(all);
        if (held != null) {
            return Optional.of(grantedNow(held));
        }
        return Optional.ofNullable(waiting(all)).map(waiter -> new Outcome.Queued(blocker(waiter)));
    }

    /** What grants also renews: the client counts its lease from when it sent this. */
    private Outcome granted(HoldSet set) {
        leases.renew(set.live.get(0).lease);
        return grantedNow(set);
    }

    Outcome grantedNow(HoldSet set) {
        List<HoldView> views =
                set.live.stream().map(hold -> hold.view(state.clockNanos())).toList();
        return new Outcome.GrantedAll(set.live.get(0).token, views);
    }

    private Outcome queued(Waiter waiter) {
        leases.renew(waiter.lease);
        return new Outcome.Queued(blocker(waiter));
    }

    /** Who holds the first of the locks that it has to wait for. */
    private Optional<HoldView> blocker(Waiter waiter) {
        return waiter.wants.stream()
                .map(want -> Objects.requireNonNull(state.lock(want.name())))
                .filter(lock -> lock.queue.first() != waiter
                        || !lock.hasRoomFor(waiter.termsOf(lock.name).mode()))
                .findFirst()
                .flatMap(lock -> lock.holder(state.clockNanos()));
    }

    private Outcome refused(
            Command.Once command, Lease.@Nullable OfSession session, Past.Answer answer, Outcome outcome) {
        memory.remember(session, command.request(), Past.of(answer));
        return outcome;
    }

    private Lease leaseFor(Command.AcquireAll all, Lease.@Nullable OfSession session) {
        return switch (all.owner()) {
            case Owner.OneShot owner -> leases.openOneShot(owner, all.ttlNanos(), all.label());
            case Owner.OfSession owner -> Objects.requireNonNull(session);
        };
    }

    private boolean isOpen(Want want) {
        Lock lock = state.lock(want.name());
        return lock == null || lock.isOpenTo(want.terms().mode());
    }

    /** What this request was granted, as far as it is held yet. */
    private @Nullable HoldSet held(Command.AcquireAll all) {
        for (Want want : all.wants()) {
            Hold hold = hold(want, all.owner());
            if (hold != null && hold.set != null && Sendings.has(hold.set.requests, all.request())) {
                return hold.set;
            }
        }
        return null;
    }

    private @Nullable Waiter waiting(Command.AcquireAll all) {
        Waiter waiter = waiter(all.wants().get(0), all.owner());
        return waiter != null && Sendings.has(waiter.requests, all.request()) ? waiter : null;
    }

    private @Nullable Hold hold(Want want, Owner owner) {
        Lock lock = state.lock(want.name());
        return lock == null ? null : lock.holders.of(owner);
    }

    private @Nullable Waiter waiter(Want want, Owner owner) {
        Lock lock = state.lock(want.name());
        return lock == null ? null : lock.queue.of(owner);
    }
}
