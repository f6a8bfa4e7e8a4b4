package io.holdfast.core;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Carries out what clients ask for locks, each request once (invariant I6). */
final class Requests {
    private final State state;
    private final Grants grants;
    private final Leases leases;
    private final Memory memory;
    private final Acquires acquires;
    private final Sets sets;

    Requests(State state, Grants grants, Leases leases, Memory memory, Deadlocks deadlocks) {
        this.state = state;
        this.grants = grants;
        this.leases = leases;
        this.memory = memory;
        this.acquires = new Acquires(state, grants, leases, memory, deadlocks);
        this.sets = new Sets(state, grants, leases, memory, deadlocks);
    }

    Outcome run(Command.Once command) {
        Lease.OfSession session = null;
        if (command.owner() instanceof Owner.OfSession owner) {
            session = leases.session(owner.session());
            if (session == null) {
                return new Outcome.NoSuchSession();
            }
        }
        settle(command);
        Scene scene = Scene.of(session, state.lock(command.name()), command.owner());
        Optional<Outcome> known = memory.known(command, session);
        if (known.isPresent()) {
            return known.get();
        }
        return switch (command) {
            case Command.Acquire acquire -> acquires.acquire(acquire, scene);
            case Command.GiveUp giveUp -> giveUp(giveUp, List.of(giveUp.name()), session);
            case Command.GiveUpAll all -> giveUp(all, all.names(), session);
            case Command.Release release -> release(release, scene);
            case Command.Convert convert -> convert(convert, scene);
            case Command.Proclaim proclaim -> proclaim(proclaim, scene);
            case Command.HandOff handOff -> handOff(handOff, scene);
            case Command.AcquireAll all -> sets.acquire(all, session);
            case Command.ReleaseAll all -> sets.release(all, session);
        };
    }

    /** What is due counts as over for a command that touches it. */
    private void settle(Command.Once command) {
        switch (command) {
            case Command.AcquireAll all -> all.wants().forEach(want -> settle(want.name(), all.owner()));
            case Command.GiveUpAll all -> all.names().forEach(name -> settle(name, all.owner()));
            case Command.ReleaseAll all -> all.names().forEach(name -> settle(name, all.owner()));
            default -> settle(command.name(), command.owner());
        }
    }

    private void settle(LockName name, Owner owner) {
        var unused = leases.lock(name, owner);
    }

    Outcome renew(Command.RenewHold command) {
        Lock lock = leases.lock(command.name());
        Hold hold = lock == null ? null : lock.holders.of(command.owner());
        if (hold == null || !hasToken(hold, command.token())) {
            return new Outcome.NotHeld(state.holder(command.name()));
        }
        if (command.ttlNanos() != 0) {
            leases.setTtl(hold.lease, command.ttlNanos());
        }
        leases.renew(hold.lease);
        return new Outcome.Renewed(hold.view(state.clockNanos()));
    }

    Outcome revoke(Command.Revoke command) {
        Lock lock = leases.lock(command.name());
        Optional<Past> past = state.finished.find(command.request().id());
        if (past.isPresent()) {
            return past.get().again(command.name(), lock, null, state.clockNanos());
        }
        Optional<Outcome> refusal = memory.refusalToRemember(command.request(), null);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Hold hold = lock == null ? null : lock.holders.of(command.token());
        if (hold == null) {
            memory.remember(null, command.request(), Past.of(Past.Answer.NOT_HELD));
            return new Outcome.NotHeld(state.holder(command.name()));
        }
        memory.remember(null, command.request(), new Past(Past.Answer.REVOKED, hold.token.value()));
        grants.revoke(hold, command.graceNanos(), command.reason(), command.by());
        if (!hold.isOver(state.clockNanos())) {
            return new Outcome.Revoking(hold.view(state.clockNanos()));
        }
        grants.end(hold, End.REVOKED);
        return new Outcome.Revoked(hold.token);
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
        Scene scene = Scene.of(session, state.lock(acquire.name()), acquire.owner());
        if (scene.hold() != null && Sendings.has(scene.hold().requests, acquire.request())) {
            return new Outcome.Granted(scene.hold().view(state.clockNanos()));
        }
        if (scene.waiter() != null && Sendings.has(scene.waiter().requests, acquire.request())) {
            return new Outcome.Queued(state.holder(acquire.name()));
        }
        return over(acquire, session);
    }

    /** How the acquire of a set stands, without touching anything. */
    Outcome standing(Command.AcquireAll all) {
        Lease.OfSession session = null;
        if (all.owner() instanceof Owner.OfSession owner) {
            session = state.sessions.get(owner.session());
            if (session == null) {
                return new Outcome.NoSuchSession();
            }
        }
        return sets.present(all).orElse(over(all, session));
    }

    private Outcome over(Command.Once acquire, Lease.@Nullable OfSession session) {
        return memory.past(acquire, session)
                .orElse(
                        Sendings.isSeen(acquire.request(), session)
                                ? new Outcome.AlreadyAnswered()
                                : new Outcome.TooLate());
    }

    private Outcome giveUp(Command.Once command, List<LockName> names, Lease.@Nullable OfSession session) {
        for (LockName name : names) {
            Scene scene = Scene.of(session, state.lock(name), command.owner());
            Optional<Outcome> found = giveUp(command.request(), scene);
            if (found.isPresent()) {
                return found.get();
            }
        }
        // The acquire has not arrived: should it come yet, it finds itself given up.
        Optional<Outcome> refusal = memory.refusalToRemember(command.request(), session);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        memory.remember(session, command.request(), Past.of(Past.Answer.GAVE_UP));
        return new Outcome.Ended(End.GAVE_UP, Optional.empty());
    }

    /** Empty if the acquire is not to be found here. */
    private Optional<Outcome> giveUp(Request request, Scene scene) {
        HoldSet set = scene.hold() == null ? null : scene.hold().set;
        if (set != null && Sendings.has(set.requests, request)) {
            return Optional.of(sets.grantedNow(set));
        }
        if (scene.hold() != null && Sendings.has(scene.hold().requests, request)) {
            return Optional.of(new Outcome.Granted(scene.hold().view(state.clockNanos())));
        }
        Waiter waiter = scene.waiter();
        if (waiter == null || !Sendings.has(waiter.requests, request)) {
            return Optional.empty();
        }
        if (waiter.requests.size() == 1) {
            grants.leaveQueue(waiter, End.GAVE_UP);
            grants.moveOn();
        } else {
            grants.answer(waiter, Sendings.without(waiter.requests, request));
            memory.remember(scene.session(), request, Past.of(Past.Answer.GAVE_UP));
        }
        return Optional.of(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
    }

    private Outcome release(Command.Release release, Scene scene) {
        Optional<Outcome> refusal = memory.refusalToRemember(release.request(), scene.session());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Hold hold = scene.hold();
        if (hold == null || !hasToken(hold, release.token())) {
            return notHeld(release, scene);
        }
        if (release.permits() != 0 && release.permits() != hold.permits()) {
            return releaseSome(release, scene, hold);
        }
        memory.remember(scene.session(), release.request(), Past.released(hold.token));
        grants.end(hold, End.RELEASED);
        return new Outcome.Released(hold.token);
    }

    private Outcome releaseSome(Command.Release release, Scene scene, Hold hold) {
        if (hold.permits() == 0) {
            memory.remember(scene.session(), release.request(), Past.of(Past.Answer.OTHER_KIND));
            return new Outcome.OtherKind(hold.name, 0);
        }
        if (hold.permits() < release.permits()) {
            memory.remember(scene.session(), release.request(), Past.of(Past.Answer.FEWER_PERMITS));
            return new Outcome.FewerPermits(hold.permits());
        }
        memory.remember(scene.session(), release.request(), new Past(Past.Answer.PERMITS_RELEASED, hold.token.value()));
        grants.reduce(hold, release.permits());
        return new Outcome.PermitsReleased(hold.token, Optional.of(hold.view(state.clockNanos())));
    }

    private Outcome proclaim(Command.Proclaim proclaim, Scene scene) {
        Optional<Outcome> refusal = memory.refusalToRemember(proclaim.request(), scene.session());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Hold hold = scene.hold();
        if (hold == null || !hasToken(hold, proclaim.token())) {
            return notHeld(proclaim, scene);
        }
        memory.remember(scene.session(), proclaim.request(), new Past(Past.Answer.PROCLAIMED, hold.token.value()));
        grants.proclaim(hold, proclaim.value());
        return new Outcome.Proclaimed(hold.token, Optional.of(hold.view(state.clockNanos())));
    }

    private Outcome handOff(Command.HandOff handOff, Scene scene) {
        Optional<Outcome> refusal = memory.refusalToRemember(handOff.request(), scene.session());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Hold hold = scene.hold();
        if (hold == null || !hasToken(hold, handOff.token())) {
            return notHeld(handOff, scene);
        }
        Lease.OfSession session = null;
        if (handOff.to() instanceof Owner.OfSession to) {
            session = leases.session(to.session());
            if (session == null) {
                memory.remember(scene.session(), handOff.request(), Past.of(Past.Answer.NO_SUCH_TARGET));
                return new Outcome.NoSuchTarget();
            }
        }
        settle(handOff.name(), handOff.to());
        Scene target = Scene.of(session, state.lock(handOff.name()), handOff.to());
        Waiter waiter = target.waiter();
        if (target.hold() != null || (waiter != null && !isAlike(waiter, hold))) {
            memory.remember(scene.session(), handOff.request(), Past.of(Past.Answer.TARGET_BUSY));
            return new Outcome.TargetBusy();
        }
        return acquires.refusalOfMore(target).orElseGet(() -> passOn(handOff, scene, hold, target));
    }

    private Outcome passOn(Command.HandOff handOff, Scene scene, Hold hold, Scene target) {
        Lease lease = target.waiter() != null ? target.waiter().lease : target.session();
        if (lease == null) {
            Owner.OneShot to = (Owner.OneShot) handOff.to();
            lease = leases.openOneShot(to, handOff.ttlNanos(), handOff.label());
        }
        FencingToken token = grants.handOff(hold, lease, target.waiter()).token;
        memory.remember(scene.session(), handOff.request(), new Past(Past.Answer.HANDED_OFF, token.value()));
        return new Outcome.HandedOff(token);
    }

    /** Whether it waits for just what the hold is. */
    private static boolean isAlike(Waiter waiter, Hold hold) {
        return !waiter.isForSet() && waiter.termsOf(hold.name).mode().equals(hold.terms.mode());
    }

    private Outcome convert(Command.Convert convert, Scene scene) {
        Hold hold = scene.hold();
        if (hold != null && Sendings.has(hold.requests, convert.request())) {
            return acquires.granted(hold);
        }
        Optional<Outcome> refusal = memory.refusalToRemember(convert.request(), scene.session());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (hold == null || !hasToken(hold, convert.token())) {
            return notHeld(convert, scene);
        }
        if (hold.set != null) {
            memory.remember(scene.session(), convert.request(), Past.of(Past.Answer.PART_OF_SET));
            return new Outcome.PartOfSet(hold.name);
        }
        if (hold.permits() != 0) {
            memory.remember(scene.session(), convert.request(), Past.of(Past.Answer.OTHER_KIND));
            return new Outcome.OtherKind(hold.name, hold.terms.mode().capacity());
        }
        if (hold.terms.mode().equals(convert.mode())) {
            return sameMode(convert, scene, hold);
        }
        int holders = Objects.requireNonNull(scene.lock()).holders.size();
        if (convert.mode() instanceof Mode.Exclusive && holders > 1) {
            memory.remember(scene.session(), convert.request(), Past.of(Past.Answer.NOT_ALONE));
            return new Outcome.NotAlone(holders);
        }
        return acquires.granted(grants.convert(hold, convert.request(), hold.terms.withMode(convert.mode())));
    }

    /** Nothing to change: the same grant answers one more request. */
    private Outcome sameMode(Command.Convert convert, Scene scene, Hold hold) {
        List<Request> open = Sendings.with(Sendings.unseen(hold.requests, scene.session()), convert.request());
        if (open.size() > Acquires.MAX_ALIASES) {
            return new Outcome.LimitReached("open requests of one hold", Acquires.MAX_ALIASES);
        }
        grants.answer(hold, open);
        return acquires.granted(hold);
    }

    private Outcome notHeld(Command.Once command, Scene scene) {
        memory.remember(scene.session(), command.request(), Past.of(Past.Answer.NOT_HELD));
        return new Outcome.NotHeld(state.holder(command.name()));
    }

    private static boolean hasToken(Hold hold, Optional<FencingToken> token) {
        return token.isEmpty() || token.get().equals(hold.token);
    }
}
