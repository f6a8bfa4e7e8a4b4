package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Carries out what clients ask for locks, each request once (invariant I6). */
final class Requests {
    /** Acquires that one hold or wait of a session answers: more than any client has under way. */
    private static final int MAX_ALIASES = 64;

    private final State state;
    private final Grants grants;
    private final Leases leases;

    Requests(State state, Grants grants, Leases leases) {
        this.state = state;
        this.grants = grants;
        this.leases = leases;
    }

    /** What a command finds when it arrives. */
    private record Scene(
            Lease.@Nullable OfSession session,
            @Nullable Lock lock,
            @Nullable Hold hold,
            @Nullable Waiter waiter) {}

    Outcome run(Command.Once command) {
        Lease.OfSession session = null;
        if (command.owner() instanceof Owner.OfSession owner) {
            session = leases.session(owner.session());
            if (session == null) {
                return new Outcome.NoSuchSession();
            }
        }
        Scene scene = scene(command, session);
        Optional<Outcome> known = known(command, session);
        if (known.isPresent()) {
            return known.get();
        }
        return switch (command) {
            case Command.Acquire acquire -> acquire(acquire, scene);
            case Command.GiveUp giveUp -> giveUp(giveUp, scene);
            case Command.Release release -> release(release, scene);
        };
    }

    Outcome renew(Command.RenewHold command) {
        Lock lock = leases.lock(command.name());
        Hold hold = lock == null ? null : lock.holdOf(command.owner());
        if (hold == null || !hasToken(hold, command.token())) {
            return new Outcome.NotHeld(state.holder(command.name()));
        }
        if (command.ttlNanos() != 0) {
            leases.setTtl(hold.lease, command.ttlNanos());
        }
        leases.renew(hold.lease);
        return new Outcome.Renewed(hold.view(state.clockNanos()));
    }

    /** How an acquire stands, without touching anything. */
    Outcome standing(Command.Acquire acquire) {
        Lease.OfSession session = null;
        if (acquire.owner() instanceof Owner.OfSession owner) {
            session = state.sessions.get(owner.session());
            if (session == null) {
                return new Outcome.NoSuchSession();
            }
        }
        Lock lock = state.lock(acquire.name());
        Hold hold = lock == null ? null : lock.holdOf(acquire.owner());
        if (hold != null && has(hold.requests, acquire.request())) {
            return new Outcome.Granted(hold.view(state.clockNanos()));
        }
        Waiter waiter = lock == null ? null : lock.waiterOf(acquire.owner());
        if (lock != null && waiter != null && has(waiter.requests, acquire.request())) {
            return new Outcome.Queued(lock.hold().view(state.clockNanos()));
        }
        return past(acquire, session)
                .orElse(isSeen(acquire.request(), session) ? new Outcome.AlreadyAnswered() : new Outcome.TooLate());
    }

    private Scene scene(Command.Once command, Lease.@Nullable OfSession session) {
        Lock lock = leases.lock(command.name());
        if (lock == null) {
            return new Scene(session, null, null, null);
        }
        return new Scene(session, lock, lock.holdOf(command.owner()), leases.waiter(lock, command.owner()));
    }

    /** The answer to a request that is over; empty for one that is new or under way. */
    private Optional<Outcome> known(Command.Once command, Lease.@Nullable OfSession session) {
        if (session != null && command.request() instanceof Request.Numbered numbered) {
            if (isSeen(numbered, session)) {
                return Optional.of(new Outcome.AlreadyAnswered());
            }
            grants.forgetSeen(session, numbered.seenUpTo());
        }
        return past(command, session);
    }

    private Optional<Outcome> past(Command.Once command, Lease.@Nullable OfSession session) {
        Optional<Past> past = switch (command.request()) {
            case Request.Identified identified -> state.finished.find(identified.id());
            // Only a session counts its requests; doors refuse a number from anybody else.
            case Request.Numbered numbered ->
                session == null ? Optional.empty() : session.answers.find(numbered.number());
        };
        return past.map(it -> it.again(state.holder(command.name())));
    }

    private Outcome acquire(Command.Acquire acquire, Scene scene) {
        if (scene.hold != null && has(scene.hold.requests, acquire.request())) {
            return granted(scene.hold);
        }
        if (scene.lock != null && scene.waiter != null && has(scene.waiter.requests, acquire.request())) {
            return queued(scene.lock, scene.waiter);
        }
        Optional<Outcome> refusal = refusalOfNew(acquire, scene);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (scene.hold != null || scene.waiter != null) {
            return askAnew(acquire, scene);
        }
        if (scene.lock == null) {
            return granted(grants.grantFree(acquire.name(), leaseFor(acquire, scene), List.of(acquire.request())));
        }
        if (acquire.waitNanos() == 0) {
            return held(acquire, scene);
        }
        if (scene.lock.waiterCount() >= state.limits.waitersPerLock()) {
            return new Outcome.LimitReached("waiters of one lock", state.limits.waitersPerLock());
        }
        return queued(scene.lock, grants.enqueue(scene.lock, leaseFor(acquire, scene), acquire));
    }

    /** Another request of an owner that holds or waits already. */
    private Outcome askAnew(Command.Acquire acquire, Scene scene) {
        if (scene.session == null) {
            grants.remember(null, acquire.request(), Past.of(Past.Answer.OWNER_BUSY));
            return new Outcome.OwnerBusy(state.holder(acquire.name()));
        }
        if (scene.hold == null && acquire.waitNanos() == 0) {
            return held(acquire, scene);
        }
        List<Request> present = scene.hold != null ? scene.hold.requests : waiting(scene).requests;
        List<Request> open = with(unseen(present, scene.session), acquire.request());
        if (open.size() > MAX_ALIASES) {
            return new Outcome.LimitReached("open acquires of one session for one lock", MAX_ALIASES);
        }
        if (scene.hold != null) {
            grants.answer(scene.hold, open);
            return granted(scene.hold);
        }
        Waiter waiter = waiting(scene);
        grants.answer(waiter, open);
        grants.waitLonger(waiter, acquire.waitNanos());
        return queued(Objects.requireNonNull(scene.lock), waiter);
    }

    private Outcome giveUp(Command.GiveUp giveUp, Scene scene) {
        if (scene.hold != null && has(scene.hold.requests, giveUp.request())) {
            return new Outcome.Granted(scene.hold.view(state.clockNanos()));
        }
        if (scene.waiter != null && has(scene.waiter.requests, giveUp.request())) {
            if (scene.waiter.requests.size() == 1) {
                grants.leaveQueue(scene.waiter, End.GAVE_UP);
            } else {
                grants.answer(scene.waiter, without(scene.waiter.requests, giveUp.request()));
                grants.remember(scene.session, giveUp.request(), Past.of(Past.Answer.GAVE_UP));
            }
            return new Outcome.Ended(End.GAVE_UP, Optional.empty());
        }
        // The acquire has not arrived: should it come yet, it finds itself given up.
        Optional<Outcome> refusal = refusalToRemember(giveUp.request(), scene);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        grants.remember(scene.session, giveUp.request(), Past.of(Past.Answer.GAVE_UP));
        return new Outcome.Ended(End.GAVE_UP, Optional.empty());
    }

    private Outcome release(Command.Release release, Scene scene) {
        Optional<Outcome> refusal = refusalToRemember(release.request(), scene);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (scene.hold == null || !hasToken(scene.hold, release.token())) {
            grants.remember(scene.session, release.request(), Past.of(Past.Answer.NOT_HELD));
            return new Outcome.NotHeld(state.holder(release.name()));
        }
        grants.remember(scene.session, release.request(), Past.released(scene.hold.token));
        grants.end(scene.hold, End.RELEASED);
        return new Outcome.Released(scene.hold.token);
    }

    private Optional<Outcome> refusalOfNew(Command.Acquire acquire, Scene scene) {
        Limits limits = state.limits;
        Optional<Outcome> refusal = refusalToRemember(acquire.request(), scene);
        if (refusal.isPresent() || scene.hold != null || scene.waiter != null) {
            return refusal;
        }
        if (scene.session != null && scene.session.lockCount() >= limits.locksPerSession()) {
            return Optional.of(new Outcome.LimitReached("locks of one session", limits.locksPerSession()));
        }
        if (scene.session == null && state.leaseCount >= limits.leases()) {
            return Optional.of(new Outcome.LimitReached("leases of the store", limits.leases()));
        }
        return Optional.empty();
    }

    /** A request that could not be told from its duplicates later is not carried out. */
    private Optional<Outcome> refusalToRemember(Request request, Scene scene) {
        int most = state.limits.openRequestsPerSession();
        return switch (request) {
            case Request.Identified one ->
                state.finished.reaches(one.issuedAtNanos(), state.clockNanos())
                        ? Optional.empty()
                        : Optional.of(new Outcome.TooLate());
            case Request.Numbered one ->
                scene.session == null
                        ? Optional.of(new Outcome.NoSuchSession())
                        : scene.session.answers.size() < most
                                ? Optional.empty()
                                : Optional.of(new Outcome.LimitReached("unseen answers of one session", most));
        };
    }

    private Lease leaseFor(Command.Acquire acquire, Scene scene) {
        return switch (acquire.owner()) {
            case Owner.OneShot owner -> grants.openOneShot(owner, acquire);
            case Owner.OfSession owner ->
                // run() has looked the session up; without one it does not get here.
                Objects.requireNonNull(scene.session);
        };
    }

    private Outcome granted(Hold hold) {
        leases.renew(hold.lease);
        return new Outcome.Granted(hold.view(state.clockNanos()));
    }

    private Outcome queued(Lock lock, Waiter waiter) {
        leases.renew(waiter.lease);
        return new Outcome.Queued(lock.hold().view(state.clockNanos()));
    }

    private Outcome held(Command.Acquire acquire, Scene scene) {
        grants.remember(scene.session, acquire.request(), Past.of(Past.Answer.HELD));
        return new Outcome.Held(state.holder(acquire.name()));
    }

    private static Waiter waiting(Scene scene) {
        return Objects.requireNonNull(scene.waiter);
    }

    /** What the client has seen answered it will not ask again. */
    private static List<Request> unseen(List<Request> requests, Lease.OfSession session) {
        return requests.stream().filter(one -> !isSeen(one, session)).toList();
    }

    private static boolean isSeen(Request request, Lease.@Nullable OfSession session) {
        return session != null
                && request instanceof Request.Numbered numbered
                && session.answers.isForgotten(numbered.number());
    }

    private static boolean hasToken(Hold hold, Optional<FencingToken> token) {
        return token.isEmpty() || token.get().equals(hold.token);
    }

    private static boolean has(List<Request> requests, Request request) {
        for (Request one : requests) {
            if (one.isSameAs(request)) {
                return true;
            }
        }
        return false;
    }

    private static List<Request> with(List<Request> requests, Request request) {
        List<Request> more = new ArrayList<>(requests);
        more.add(request);
        return List.copyOf(more);
    }

    private static List<Request> without(List<Request> requests, Request request) {
        return requests.stream().filter(one -> !one.isSameAs(request)).toList();
    }
}
