package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A lock service written from the rules, not from the code: flat lists, searched from end to end, nothing kept that can be found again. Slow, and hard to get wrong. The properties compare the lock table with it.
 */
final class NaiveLockService extends NaiveTransfers {
    NaiveLockService(Limits limits) {
        super(limits);
    }

    Applied apply(Position position, List<Command> commands) {
        index = position.index();
        clock = Math.max(clock, position.leaseTimeNanos());
        events = new ArrayList<>();
        memory.forgetOld(clock);
        sweep();
        marks.clear();
        marks.add(events.size());
        List<Outcome> outcomes = new ArrayList<>();
        for (Command command : commands) {
            outcomes.add(run(command));
            marks.add(events.size());
        }
        return new Applied(position, outcomes, events);
    }

    // ---- commands

    private Outcome run(Command command) {
        if (command.featureLevel() > featureLevel) {
            return new Outcome.FeatureLevelTooLow(command.featureLevel(), featureLevel);
        }
        return switch (command) {
            case Command.OpenSession it -> open(it);
            case Command.CloseSession it -> close(it);
            case Command.RenewSessions it -> renew(it);
            case Command.RenewHold it -> renew(it);
            case Command.RaiseFeatureLevel it -> {
                featureLevel = Math.max(featureLevel, it.level());
                yield new Outcome.FeatureLevel(featureLevel);
            }
            case Command.Revoke it -> revoke(it);
            case Command.Once it -> once(it);
        };
    }

    private Outcome open(Command.OpenSession it) {
        Promise session = session(it.session());
        if (session != null) {
            prolong(session);
            return new Outcome.SessionOpened(view(session));
        }
        if (memory.hasEnded(it.session())) {
            return new Outcome.NoSuchSession();
        }
        if (!memory.reachesSession(it.issuedAtNanos(), clock)) {
            return new Outcome.TooLate();
        }
        if (promises.size() >= limits.leases()) {
            return new Outcome.LimitReached("leases of the store", limits.leases());
        }
        if (featureLevel > 1 && sessions().size() >= limits.sessions()) {
            return new Outcome.LimitReached("sessions of the store", limits.sessions());
        }
        Promise opened = promise(new Owner.OfSession(it.session()), it.ttlNanos(), it.label());
        opened.metadata = it.metadata();
        events.add(new Event.SessionOpened(it.session(), it.label()));
        return new Outcome.SessionOpened(view(opened));
    }

    private Outcome close(Command.CloseSession it) {
        Promise session = session(it.session());
        if (session == null) {
            return new Outcome.NoSuchSession();
        }
        promises.remove(session);
        leaveAll(session, End.GAVE_UP);
        moveOn();
        endAll(session, End.RELEASED);
        return new Outcome.SessionClosed();
    }

    private Outcome renew(Command.RenewSessions it) {
        List<SessionId> gone = new ArrayList<>();
        for (SessionId id : it.sessions()) {
            Promise session = session(id);
            if (session == null) {
                gone.add(id);
            } else {
                prolong(session);
            }
        }
        return new Outcome.SessionsRenewed(gone);
    }

    private Outcome renew(Command.RenewHold it) {
        settle(it.name(), it.owner(), false);
        Claim hold = held(it.name(), it.owner());
        if (hold == null || !hasToken(hold, it.token())) {
            return new Outcome.NotHeld(holder(it.name()));
        }
        if (it.ttlNanos() != 0) {
            hold.promise.ttl = it.ttlNanos();
        }
        prolong(hold.promise);
        return new Outcome.Renewed(view(hold));
    }

    private Outcome once(Command.Once it) {
        if (it.owner() instanceof Owner.OfSession owner && session(owner.session()) == null) {
            return new Outcome.NoSuchSession();
        }
        names(it).forEach(name -> settle(name, it.owner(), true));
        if (it.owner() instanceof Owner.OfSession owner && it.request() instanceof Request.Numbered request) {
            if (request.number() <= memory.seenUpTo(owner.session())) {
                return new Outcome.AlreadyAnswered();
            }
            memory.sawUpTo(owner.session(), request.seenUpTo());
        }
        Optional<Outcome> past =
                memory.remembered(it.owner(), it.request()).map(answer -> again(answer, it.name(), it.owner()));
        return past.orElseGet(() -> switch (it) {
            case Command.Acquire acquire -> acquire(acquire);
            case Command.GiveUp giveUp -> giveUp(giveUp);
            case Command.Release release -> release(release);
            case Command.Convert convert -> convert(convert);
            case Command.Proclaim proclaim -> proclaim(proclaim);
            case Command.HandOff handOff -> handOff(handOff);
            case Command.AcquireAll all -> acquireAll(all);
            case Command.GiveUpAll all -> giveUp(all);
            case Command.ReleaseAll all -> releaseAll(all);
        });
    }

    private static List<LockName> names(Command.Once command) {
        return switch (command) {
            case Command.AcquireAll all -> all.wants().stream().map(Want::name).toList();
            case Command.GiveUpAll all -> all.names();
            case Command.ReleaseAll all -> all.names();
            default -> List.of(command.name());
        };
    }

    private Outcome acquire(Command.Acquire it) {
        Claim mine = claim(it.name(), it.owner());
        if (mine != null && mine.answers(it.request())) {
            prolong(mine.promise);
            return stands(mine);
        }
        Optional<Outcome> refusal = refusalToRemember(it.owner(), it.request());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Optional<Outcome> full = mine == null
                ? refusalOfMore(it.owner(), 1).or(() -> refusalOfNames(List.of(it.name())))
                : Optional.empty();
        if (full.isPresent()) {
            return full.get();
        }
        Optional<Integer> capacity = capacity(it.name());
        if (capacity.isPresent() && capacity.get() != it.terms().mode().capacity()) {
            remember(it.owner(), it.request(), new Outcome.OtherKind(it.name(), 0));
            return new Outcome.OtherKind(it.name(), capacity.get());
        }
        if (mine != null && it.owner() instanceof Owner.OneShot && mine.isUnclaimed()) {
            return claim(it, mine);
        }
        if (mine != null && it.owner() instanceof Owner.OneShot) {
            remember(it.owner(), it.request(), new Outcome.OwnerBusy(Optional.empty()));
            return new Outcome.OwnerBusy(holder(it.name()));
        }
        if (mine != null && !mine.isHeld() && mine.bundle != null) {
            remember(it.owner(), it.request(), new Outcome.PartOfSet(it.name()));
            return new Outcome.PartOfSet(it.name());
        }
        if (mine != null && !mine.terms.mode().equals(it.terms().mode())) {
            remember(it.owner(), it.request(), new Outcome.OtherMode(Optional.empty()));
            return new Outcome.OtherMode(holder(it.name()));
        }
        if (mine != null) {
            return askAnew(it, mine);
        }
        return takeOrQueue(it);
    }

    private Outcome takeOrQueue(Command.Acquire it) {
        boolean free = firstWaiter(it.name()) == null && hasRoom(it.terms(), it.name());
        if (!free && it.waitNanos() == 0) {
            remember(it.owner(), it.request(), new Outcome.Held(Optional.empty()));
            return new Outcome.Held(holder(it.name()));
        }
        if (!free && waiters(it.name()).count() >= limits.waitersPerLock()) {
            return new Outcome.LimitReached("waiters of one lock", limits.waitersPerLock());
        }
        if (!free && isDeadlock(it.owner(), it.allowDeadlock(), List.of(new Want(it.name(), it.terms())))) {
            remember(it.owner(), it.request(), new Outcome.Deadlock(List.of()));
            return new Outcome.Deadlock(List.of());
        }
        Promise promise = it.owner() instanceof Owner.OfSession owner
                ? Objects.requireNonNull(session(owner.session()))
                : promise(it.owner(), it.ttlNanos(), it.label());
        prolong(promise);
        Claim claim = new Claim(
                it.name(), promise, free ? 0 : ++births, index, clock, waitDeadline(it.waitNanos()), it.terms());
        claim.requests.add(it.request());
        claims.add(claim);
        if (free) {
            grant(List.of(claim));
        } else {
            events.add(new Event.Queued(
                    it.name(), it.owner(), claim.label(), it.terms().mode()));
        }
        return stands(claim);
    }

    /** The first acquire of one to whom the lock was passed on. */
    private Outcome claim(Command.Acquire it, Claim mine) {
        if (!mine.terms.mode().equals(it.terms().mode())) {
            remember(it.owner(), it.request(), new Outcome.OtherMode(Optional.empty()));
            return new Outcome.OtherMode(holder(it.name()));
        }
        mine.requests.add(it.request());
        prolong(mine.promise);
        return stands(mine);
    }

    private Outcome askAnew(Command.Acquire it, Claim mine) {
        if (!mine.isHeld() && it.waitNanos() == 0) {
            remember(it.owner(), it.request(), new Outcome.Held(Optional.empty()));
            return new Outcome.Held(holder(it.name()));
        }
        dropSeen(mine.owner(), mine.requests);
        mine.requests.add(it.request());
        if (!mine.isHeld()) {
            mine.waitDeadline = Math.max(mine.waitDeadline, waitDeadline(it.waitNanos()));
        }
        prolong(mine.promise);
        return stands(mine);
    }

    private Outcome giveUp(Command.Once it) {
        for (LockName name : names(it)) {
            Claim mine = claim(name, it.owner());
            Bundle bundle = mine == null ? null : mine.bundle;
            if (mine != null && mine.isHeld() && bundle != null && bundle.answers(it.request())) {
                return grantedAll(bundle);
            }
            if (mine != null && mine.isHeld() && mine.answers(it.request())) {
                return new Outcome.Granted(view(mine));
            }
            List<Request> waiting =
                    mine == null || mine.isHeld() ? List.of() : bundle == null ? mine.requests : bundle.requests;
            if (mine != null && waiting.stream().anyMatch(it.request()::isSameAs)) {
                return giveUp(mine, waiting, it.request());
            }
        }
        Optional<Outcome> refusal = refusalToRemember(it.owner(), it.request());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Outcome gaveUp = new Outcome.Ended(End.GAVE_UP, Optional.empty());
        remember(it.owner(), it.request(), gaveUp);
        return gaveUp;
    }

    private Outcome giveUp(Claim waiter, List<Request> requests, Request request) {
        Outcome gaveUp = new Outcome.Ended(End.GAVE_UP, Optional.empty());
        if (requests.size() == 1) {
            leave(waiter, End.GAVE_UP);
            moveOn();
        } else {
            requests.removeIf(request::isSameAs);
            remember(waiter.owner(), request, gaveUp);
        }
        return gaveUp;
    }

    private Outcome release(Command.Release it) {
        Optional<Outcome> refusal = refusalToRemember(it.owner(), it.request());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Claim hold = held(it.name(), it.owner());
        if (hold == null || !hasToken(hold, it.token())) {
            remember(it.owner(), it.request(), new Outcome.NotHeld(Optional.empty()));
            return new Outcome.NotHeld(holder(it.name()));
        }
        if (it.permits() != 0 && it.permits() != hold.permits()) {
            return releaseSome(it, hold);
        }
        Outcome released = new Outcome.Released(new FencingToken(hold.token));
        remember(it.owner(), it.request(), released);
        end(hold, End.RELEASED);
        return released;
    }

    private Outcome releaseSome(Command.Release it, Claim hold) {
        if (hold.terms.mode().capacity() == 0) {
            remember(it.owner(), it.request(), new Outcome.OtherKind(it.name(), 0));
            return new Outcome.OtherKind(it.name(), 0);
        }
        int left = hold.permits() - it.permits();
        if (left < 0) {
            remember(it.owner(), it.request(), new Outcome.FewerPermits(0));
            return new Outcome.FewerPermits(hold.permits());
        }
        FencingToken token = new FencingToken(hold.token);
        hold.terms =
                hold.terms.withMode(new Mode.Permits(left, hold.terms.mode().capacity()));
        remember(it.owner(), it.request(), new Outcome.PermitsReleased(token, Optional.empty()));
        events.add(new Event.PermitsReleased(it.name(), it.owner(), hold.label(), token, it.permits(), left));
        touched.add(it.name());
        moveOn();
        return new Outcome.PermitsReleased(token, Optional.of(view(hold)));
    }

    private Outcome proclaim(Command.Proclaim it) {
        Optional<Outcome> refusal = refusalToRemember(it.owner(), it.request());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Claim hold = held(it.name(), it.owner());
        if (hold == null || !hasToken(hold, it.token())) {
            remember(it.owner(), it.request(), new Outcome.NotHeld(Optional.empty()));
            return new Outcome.NotHeld(holder(it.name()));
        }
        FencingToken token = new FencingToken(hold.token);
        hold.terms = hold.terms.withValue(it.value());
        remember(it.owner(), it.request(), new Outcome.Proclaimed(token, Optional.empty()));
        events.add(new Event.ValueChanged(it.name(), it.owner(), hold.label(), token, it.value()));
        return new Outcome.Proclaimed(token, Optional.of(view(hold)));
    }

    private Outcome convert(Command.Convert it) {
        Claim hold = held(it.name(), it.owner());
        if (hold != null && hold.answers(it.request())) {
            prolong(hold.promise);
            return stands(hold);
        }
        Optional<Outcome> refusal = refusalToRemember(it.owner(), it.request());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (hold == null || !hasToken(hold, it.token())) {
            remember(it.owner(), it.request(), new Outcome.NotHeld(Optional.empty()));
            return new Outcome.NotHeld(holder(it.name()));
        }
        if (hold.bundle != null) {
            remember(it.owner(), it.request(), new Outcome.PartOfSet(it.name()));
            return new Outcome.PartOfSet(it.name());
        }
        if (hold.terms.mode().capacity() != 0) {
            remember(it.owner(), it.request(), new Outcome.OtherKind(it.name(), 0));
            return new Outcome.OtherKind(it.name(), hold.terms.mode().capacity());
        }
        if (hold.terms.mode().equals(it.mode())) {
            dropSeen(hold.owner(), hold.requests);
            hold.requests.add(it.request());
        } else if (it.mode() == Mode.EXCLUSIVE && holders(it.name()).size() > 1) {
            remember(it.owner(), it.request(), new Outcome.NotAlone(0));
            return new Outcome.NotAlone(holders(it.name()).size());
        } else {
            convert(hold, it);
        }
        prolong(hold.promise);
        return stands(hold);
    }

    private void convert(Claim hold, Command.Convert it) {
        FencingToken before = new FencingToken(hold.token);
        hold.requests.forEach(
                one -> remember(hold.owner(), one, new Outcome.Ended(End.CONVERTED, Optional.of(before))));
        hold.requests.clear();
        hold.requests.add(it.request());
        hold.terms = hold.terms.withMode(it.mode());
        setNextToken(hold);
        events.add(new Event.Converted(
                it.name(), it.owner(), hold.label(), before, new FencingToken(hold.token), it.mode()));
        touched.add(it.name());
        moveOn();
    }

    private boolean isDeadlock(Owner of, boolean isAllowed, List<Want> wants) {
        return featureLevel > 1
                && !isAllowed
                && of instanceof Owner.OfSession owner
                && NaiveDeadlock.wouldWaitForItself(claims, Objects.requireNonNull(session(owner.session())), wants);
    }

    // ---- sets

    private Outcome acquireAll(Command.AcquireAll it) {
        for (Want want : it.wants()) {
            Claim mine = claim(want.name(), it.owner());
            if (mine != null && mine.bundle != null && mine.bundle.answers(it.request())) {
                prolong(mine.promise);
                return stands(mine.bundle);
            }
        }
        Optional<Outcome> refusal = refusalToRemember(it.owner(), it.request());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        for (Want want : it.wants()) {
            Claim mine = claim(want.name(), it.owner());
            if (mine != null) {
                return askAnew(it, mine);
            }
        }
        if (it.wants().size() > limits.locksPerSet()) {
            return new Outcome.LimitReached("locks of one set", limits.locksPerSet());
        }
        Optional<Outcome> full = refusalOfMore(it.owner(), it.wants().size())
                .or(() -> refusalOfNames(it.wants().stream().map(Want::name).toList()));
        if (full.isPresent()) {
            return full.get();
        }
        for (Want want : it.wants()) {
            Optional<Integer> capacity = capacity(want.name());
            if (capacity.isPresent() && capacity.get() != want.terms().mode().capacity()) {
                remember(it.owner(), it.request(), new Outcome.OtherKind(it.name(), 0));
                return new Outcome.OtherKind(want.name(), capacity.get());
            }
        }
        return takeOrQueue(it);
    }

    private Outcome takeOrQueue(Command.AcquireAll it) {
        Optional<LockName> closed = it.wants().stream()
                .filter(want -> firstWaiter(want.name()) != null || !hasRoom(want.terms(), want.name()))
                .map(Want::name)
                .findFirst();
        if (closed.isPresent() && it.waitNanos() == 0) {
            remember(it.owner(), it.request(), new Outcome.Held(Optional.empty()));
            return new Outcome.Held(holder(closed.get()));
        }
        boolean isFull =
                it.wants().stream().anyMatch(want -> waiters(want.name()).count() >= limits.waitersPerLock());
        if (closed.isPresent() && isFull) {
            return new Outcome.LimitReached("waiters of one lock", limits.waitersPerLock());
        }
        if (closed.isPresent() && isDeadlock(it.owner(), it.allowDeadlock(), it.wants())) {
            remember(it.owner(), it.request(), new Outcome.Deadlock(List.of()));
            return new Outcome.Deadlock(List.of());
        }
        Promise promise = it.owner() instanceof Owner.OfSession owner
                ? Objects.requireNonNull(session(owner.session()))
                : promise(it.owner(), it.ttlNanos(), it.label());
        prolong(promise);
        Bundle bundle = new Bundle();
        bundle.requests.add(it.request());
        long born = closed.isPresent() ? ++births : 0;
        for (Want want : it.wants()) {
            Claim claim =
                    new Claim(want.name(), promise, born, index, clock, waitDeadline(it.waitNanos()), want.terms());
            claim.bundle = bundle;
            bundle.claims.add(claim);
            claims.add(claim);
        }
        if (closed.isEmpty()) {
            grant(bundle.claims);
        } else {
            it.wants()
                    .forEach(want -> events.add(new Event.Queued(
                            want.name(), it.owner(), promise.label, want.terms().mode())));
        }
        return stands(bundle);
    }

    private Outcome askAnew(Command.AcquireAll it, Claim mine) {
        if (it.owner() instanceof Owner.OneShot) {
            remember(it.owner(), it.request(), new Outcome.OwnerBusy(Optional.empty()));
            return new Outcome.OwnerBusy(holder(mine.name));
        }
        Bundle bundle = mine.bundle;
        if (bundle == null || !bundle.isFor(it.wants())) {
            remember(it.owner(), it.request(), new Outcome.PartOfSet(it.name()));
            return new Outcome.PartOfSet(mine.name);
        }
        if (!mine.isHeld() && it.waitNanos() == 0) {
            remember(it.owner(), it.request(), new Outcome.Held(Optional.empty()));
            return new Outcome.Held(blocker(bundle));
        }
        dropSeen(mine.owner(), bundle.requests);
        bundle.requests.add(it.request());
        if (!mine.isHeld()) {
            long longer = Math.max(mine.waitDeadline, waitDeadline(it.waitNanos()));
            bundle.claims.forEach(claim -> claim.waitDeadline = longer);
        }
        prolong(mine.promise);
        return stands(bundle);
    }

    private Outcome releaseAll(Command.ReleaseAll it) {
        Optional<Outcome> refusal = refusalToRemember(it.owner(), it.request());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        List<Claim> holds = it.names().stream()
                .map(name -> held(name, it.owner()))
                .filter(Objects::nonNull)
                .filter(hold -> hasToken(hold, it.token()))
                .toList();
        if (holds.isEmpty()) {
            remember(it.owner(), it.request(), new Outcome.NotHeld(Optional.empty()));
            return new Outcome.NotHeld(holder(it.name()));
        }
        long last = holds.stream().mapToLong(hold -> hold.token).max().orElseThrow();
        Outcome released = new Outcome.Released(new FencingToken(last));
        remember(it.owner(), it.request(), released);
        holds.forEach(hold -> end(hold, End.RELEASED));
        return released;
    }
}
