package io.holdfast.core;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Carries out acquires: grants, queues or refuses. */
final class Acquires {
    /** Requests that one hold or wait answers: more than any client has under way. */
    static final int MAX_ALIASES = 64;

    private final State state;
    private final Grants grants;
    private final Leases leases;
    private final Memory memory;
    private final Deadlocks deadlocks;

    Acquires(State state, Grants grants, Leases leases, Memory memory, Deadlocks deadlocks) {
        this.state = state;
        this.grants = grants;
        this.leases = leases;
        this.memory = memory;
        this.deadlocks = deadlocks;
    }

    Outcome acquire(Command.Acquire acquire, Scene scene) {
        if (scene.hold() != null && Sendings.has(scene.hold().requests, acquire.request())) {
            return granted(scene.hold());
        }
        if (scene.waiter() != null && Sendings.has(scene.waiter().requests, acquire.request())) {
            return queued(scene.waiter());
        }
        Optional<Outcome> refusal = refusalOfNew(acquire, scene);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Lock lock = scene.lock();
        if (lock != null && lock.capacity != acquire.terms().mode().capacity()) {
            memory.remember(scene.session(), acquire.request(), Past.of(Past.Answer.OTHER_KIND));
            return new Outcome.OtherKind(lock.name, lock.capacity);
        }
        if (scene.isKnown()) {
            return askAnew(acquire, scene);
        }
        if (lock == null || lock.isOpenTo(acquire.terms().mode())) {
            return granted(grants.grantOpen(wantOf(acquire), leaseFor(acquire, scene), List.of(acquire.request())));
        }
        if (acquire.waitNanos() == 0) {
            return held(acquire, scene);
        }
        if (lock.queue.size() >= state.limits.waitersPerLock()) {
            return new Outcome.LimitReached("waiters of one lock", state.limits.waitersPerLock());
        }
        List<WaitEdge> cycle = cycle(acquire, scene);
        if (!cycle.isEmpty()) {
            memory.remember(scene.session(), acquire.request(), Past.of(Past.Answer.DEADLOCK));
            return new Outcome.Deadlock(cycle);
        }
        return queued(grants.enqueue(
                List.of(wantOf(acquire)), leaseFor(acquire, scene), acquire.request(), acquire.waitNanos()));
    }

    /** Empty if it may wait. */
    private List<WaitEdge> cycle(Command.Acquire acquire, Scene scene) {
        return scene.session() == null || acquire.allowDeadlock() || state.featureLevel() < 2
                ? List.of()
                : deadlocks.cycle(scene.session(), List.of(wantOf(acquire)));
    }

    /** Another request of an owner that holds or waits already. */
    private Outcome askAnew(Command.Acquire acquire, Scene scene) {
        if (scene.session() == null && scene.hold() != null && scene.hold().isUnclaimed()) {
            return claim(acquire, scene.hold());
        }
        if (scene.session() == null) {
            memory.remember(null, acquire.request(), Past.of(Past.Answer.OWNER_BUSY));
            return new Outcome.OwnerBusy(state.holder(acquire.name()));
        }
        if (scene.hold() == null && waiting(scene).isForSet()) {
            memory.remember(scene.session(), acquire.request(), Past.of(Past.Answer.PART_OF_SET));
            return new Outcome.PartOfSet(acquire.name());
        }
        Terms present =
                scene.hold() != null ? scene.hold().terms : waiting(scene).termsOf(acquire.name());
        if (!present.mode().equals(acquire.terms().mode())) {
            memory.remember(scene.session(), acquire.request(), Past.of(Past.Answer.OTHER_MODE));
            return new Outcome.OtherMode(state.holder(acquire.name()));
        }
        if (scene.hold() == null && acquire.waitNanos() == 0) {
            return held(acquire, scene);
        }
        List<Request> answered = scene.hold() != null ? scene.hold().requests : waiting(scene).requests;
        List<Request> open = Sendings.with(Sendings.unseen(answered, scene.session()), acquire.request());
        if (open.size() > MAX_ALIASES) {
            return new Outcome.LimitReached("open acquires of one session for one lock", MAX_ALIASES);
        }
        if (scene.hold() != null) {
            grants.answer(scene.hold(), open);
            return granted(scene.hold());
        }
        Waiter waiter = waiting(scene);
        grants.answer(waiter, open);
        grants.waitLonger(waiter, acquire.waitNanos());
        return queued(waiter);
    }

    /** The first acquire of one to whom the lock was passed on. */
    private Outcome claim(Command.Acquire acquire, Hold hold) {
        if (!hold.terms.mode().equals(acquire.terms().mode())) {
            memory.remember(null, acquire.request(), Past.of(Past.Answer.OTHER_MODE));
            return new Outcome.OtherMode(state.holder(acquire.name()));
        }
        grants.answer(hold, List.of(acquire.request()));
        return granted(hold);
    }

    private Optional<Outcome> refusalOfNew(Command.Acquire acquire, Scene scene) {
        Optional<Outcome> refusal = memory.refusalToRemember(acquire.request(), scene.session());
        return refusal.or(() -> refusalOfMore(scene))
                .or(() -> scene.lock() != null ? Optional.empty() : state.refusalOfNames(List.of(acquire.name())));
    }

    /** Why there cannot be one more hold or wait for whoever has none yet. */
    Optional<Outcome> refusalOfMore(Scene scene) {
        Limits limits = state.limits;
        if (scene.isKnown()) {
            return Optional.empty();
        }
        if (scene.session() != null && scene.session().lockCount() >= limits.locksPerSession()) {
            return Optional.of(new Outcome.LimitReached("locks of one session", limits.locksPerSession()));
        }
        if (scene.session() == null && state.leaseCount >= limits.leases()) {
            return Optional.of(new Outcome.LimitReached("leases of the store", limits.leases()));
        }
        return Optional.empty();
    }

    private static Want wantOf(Command.Acquire acquire) {
        return new Want(acquire.name(), acquire.terms());
    }

    private Lease leaseFor(Command.Acquire acquire, Scene scene) {
        return switch (acquire.owner()) {
            case Owner.OneShot owner -> leases.openOneShot(owner, acquire.ttlNanos(), acquire.label());
            case Owner.OfSession owner ->
                // The session was looked up before; without one nothing gets here.
                Objects.requireNonNull(scene.session());
        };
    }

    /** What grants also renews: the client counts its lease from when it sent this. */
    Outcome granted(Hold hold) {
        leases.renew(hold.lease);
        return new Outcome.Granted(hold.view(state.clockNanos()));
    }

    private Outcome queued(Waiter waiter) {
        leases.renew(waiter.lease);
        return new Outcome.Queued(state.holder(waiter.firstName()));
    }

    private Outcome held(Command.Acquire acquire, Scene scene) {
        memory.remember(scene.session(), acquire.request(), Past.of(Past.Answer.HELD));
        return new Outcome.Held(state.holder(acquire.name()));
    }

    private static Waiter waiting(Scene scene) {
        return Objects.requireNonNull(scene.waiter());
    }
}
