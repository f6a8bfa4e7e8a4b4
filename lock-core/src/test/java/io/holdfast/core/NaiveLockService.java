package io.holdfast.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lock service written from the rules, not from the code: flat lists, searched from end to end, nothing kept that can be found again. Slow, and hard to get wrong. The properties compare the lock table with it.
 */
final class NaiveLockService {
    /** A finished request. Under the session it belongs to, or by id under nobody. */
    private record Done(@Nullable SessionId session, Request request, Outcome answer, long at) {}

    /** How far the client of a session has seen the answers. */
    private record Seen(SessionId session, long upTo) {}

    private final Limits limits;
    final List<Promise> promises = new ArrayList<>();
    final List<Claim> claims = new ArrayList<>();
    private final List<Done> done = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();
    private final List<SessionId> ended = new ArrayList<>();
    private final List<Long> endedAt = new ArrayList<>();
    private long forgottenRequestsUpTo = -1;
    private long forgottenSessionsUpTo = -1;
    private List<Event> events = new ArrayList<>();

    /** How many events of the last entry there were before its first command, and after each. */
    final List<Integer> marks = new ArrayList<>();

    long clock;
    long index;
    int featureLevel = 1;
    private long lastToken;
    private long births;

    NaiveLockService(Limits limits) {
        this.limits = limits;
    }

    Applied apply(Position position, List<Command> commands) {
        index = position.index();
        clock = Math.max(clock, position.leaseTimeNanos());
        events = new ArrayList<>();
        forgetOld();
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

    // ---- what is due

    private record Due(
            long deadline,
            long born,
            @Nullable Promise promise,
            @Nullable Claim claim) {}

    private void sweep() {
        List<Due> due = Stream.concat(
                        promises.stream().map(it -> new Due(it.deadline, it.born, it, null)),
                        claims.stream()
                                .filter(it -> !it.isHeld())
                                .map(it -> new Due(it.waitDeadline, it.born, null, it)))
                .filter(it -> it.deadline <= clock)
                .sorted(Comparator.comparingLong(Due::deadline).thenComparingLong(Due::born))
                .toList();
        List<Promise> dead = new ArrayList<>();
        int swept = 0;
        for (Due it : due) {
            if (swept == limits.expiryBatch()) {
                break;
            }
            // Some left with their lease earlier in this loop.
            if (it.promise != null && promises.contains(it.promise)) {
                swept++;
                promises.remove(it.promise);
                leaveAll(it.promise, End.EXPIRED);
                dead.add(it.promise);
            } else if (it.claim != null && claims.contains(it.claim)) {
                swept++;
                leave(it.claim, it.claim.promise.deadline <= clock ? End.EXPIRED : End.TIMED_OUT);
            }
        }
        dead.forEach(promise -> endAll(promise, End.EXPIRED));
    }

    private boolean expireIfDue(Promise promise) {
        if (promise.deadline > clock) {
            return false;
        }
        promises.remove(promise);
        leaveAll(promise, End.EXPIRED);
        endAll(promise, End.EXPIRED);
        return true;
    }

    // ---- ends

    private void leaveAll(Promise promise, End how) {
        of(promise).filter(it -> !it.isHeld()).toList().forEach(it -> leave(it, how));
    }

    private void endAll(Promise promise, End how) {
        if (promise.owner instanceof Owner.OfSession owner) {
            ended.add(owner.session());
            endedAt.add(clock);
            if (ended.size() > limits.finishedRequests()) {
                ended.remove(0);
                forgottenSessionsUpTo = endedAt.remove(0);
            }
        }
        of(promise).toList().forEach(it -> end(it, how));
        if (promise.owner instanceof Owner.OfSession owner) {
            done.removeIf(it -> owner.session().equals(it.session));
            seen.removeIf(it -> it.session.equals(owner.session()));
            events.add(new Event.SessionEnded(owner.session(), how));
        }
    }

    /** All claims under a lease, by name. */
    private Stream<Claim> of(Promise promise) {
        return claims.stream().filter(it -> it.promise == promise).sorted(Comparator.comparing(it -> it.name));
    }

    private void leave(Claim waiter, End how) {
        claims.remove(waiter);
        waiter.requests.forEach(it -> remember(waiter.owner(), it, new Outcome.Ended(how, Optional.empty())));
        events.add(new Event.LeftQueue(waiter.name, waiter.owner(), how));
        dropIfIdle(waiter.promise);
    }

    private void end(Claim hold, End how) {
        claims.remove(hold);
        FencingToken token = new FencingToken(hold.token);
        hold.requests.forEach(it -> remember(hold.owner(), it, new Outcome.Ended(how, Optional.of(token))));
        events.add(new Event.HoldEnded(hold.name, hold.owner(), token, how));
        dropIfIdle(hold.promise);
        for (Claim next = firstWaiter(hold.name); next != null; next = firstWaiter(hold.name)) {
            boolean leaseOver = next.promise.deadline <= clock;
            if (!leaseOver && next.waitDeadline > clock) {
                grant(next);
                return;
            }
            leave(next, leaseOver ? End.EXPIRED : End.TIMED_OUT);
        }
    }

    private void dropIfIdle(Promise promise) {
        if (promise.owner instanceof Owner.OneShot && of(promise).findAny().isEmpty()) {
            promises.remove(promise);
        }
    }

    private void grant(Claim claim) {
        lastToken = Math.max(lastToken + 1, index * 65_536);
        claim.token = lastToken;
        claim.grantIndex = index;
        claim.grantedAt = clock;
        events.add(new Event.Acquired(claim.name, claim.owner(), new FencingToken(claim.token)));
    }

    // ---- what is remembered

    private void remember(Owner owner, Request request, Outcome answer) {
        if (request instanceof Request.Identified identified) {
            done.removeIf(it -> it.session == null && it.request.isSameAs(identified));
            done.add(new Done(null, identified, answer, clock));
            if (done.stream().filter(it -> it.session == null).count() > limits.finishedRequests()) {
                Done oldest = done.stream()
                        .filter(it -> it.session == null)
                        .findFirst()
                        .orElseThrow();
                done.remove(oldest);
                forgottenRequestsUpTo = oldest.at;
            }
        } else if (request instanceof Request.Numbered numbered
                && owner instanceof Owner.OfSession session
                && numbered.number() > seenUpTo(session.session())) {
            done.removeIf(it -> session.session().equals(it.session) && it.request.isSameAs(request));
            done.add(new Done(session.session(), request, answer, clock));
        }
    }

    private void forgetOld() {
        done.removeIf(it -> it.session == null && it.at < clock - limits.dedupeWindowNanos());
        while (!ended.isEmpty() && endedAt.get(0) < clock - limits.dedupeWindowNanos()) {
            ended.remove(0);
            endedAt.remove(0);
        }
    }

    private long seenUpTo(SessionId session) {
        return seen.stream()
                .filter(it -> it.session.equals(session))
                .mapToLong(Seen::upTo)
                .max()
                .orElse(0);
    }

    private Optional<Outcome> remembered(Owner owner, LockName name, Request request) {
        SessionId session =
                request instanceof Request.Numbered && owner instanceof Owner.OfSession it ? it.session() : null;
        return done.stream()
                .filter(it -> Objects.equals(it.session, session) && it.request.isSameAs(request))
                .map(it -> switch (it.answer) {
                    // Who holds the lock is told as of now.
                    case Outcome.Held held -> new Outcome.Held(holder(name));
                    case Outcome.OwnerBusy busy -> new Outcome.OwnerBusy(holder(name));
                    case Outcome.NotHeld notHeld -> new Outcome.NotHeld(holder(name));
                    default -> it.answer;
                })
                .findFirst();
    }

    private Optional<Outcome> refusalToRemember(Owner owner, Request request) {
        if (request instanceof Request.Identified it) {
            boolean reached = it.issuedAtNanos() <= clock
                    && it.issuedAtNanos() >= clock - limits.dedupeWindowNanos()
                    && it.issuedAtNanos() > forgottenRequestsUpTo;
            return reached ? Optional.empty() : Optional.of(new Outcome.TooLate());
        }
        SessionId session = ((Owner.OfSession) owner).session();
        long open = done.stream().filter(it -> session.equals(it.session)).count();
        int most = limits.openRequestsPerSession();
        return open < most
                ? Optional.empty()
                : Optional.of(new Outcome.LimitReached("unseen answers of one session", most));
    }

    // ---- commands

    private Outcome run(Command command) {
        return switch (command) {
            case Command.OpenSession it -> open(it);
            case Command.CloseSession it -> close(it);
            case Command.RenewSessions it -> renew(it);
            case Command.RenewHold it -> renew(it);
            case Command.RaiseFeatureLevel it -> {
                featureLevel = Math.max(featureLevel, it.level());
                yield new Outcome.FeatureLevel(featureLevel);
            }
            case Command.Once it -> once(it);
        };
    }

    private Outcome open(Command.OpenSession it) {
        Promise session = session(it.session());
        if (session != null) {
            prolong(session);
            return new Outcome.SessionOpened(view(session));
        }
        if (ended.contains(it.session())) {
            return new Outcome.NoSuchSession();
        }
        if (it.issuedAtNanos() > clock
                || it.issuedAtNanos() < clock - limits.dedupeWindowNanos()
                || it.issuedAtNanos() <= forgottenSessionsUpTo) {
            return new Outcome.TooLate();
        }
        if (promises.size() >= limits.leases()) {
            return new Outcome.LimitReached("leases of the store", limits.leases());
        }
        Promise opened = promise(new Owner.OfSession(it.session()), it.ttlNanos(), it.label());
        events.add(new Event.SessionOpened(it.session()));
        return new Outcome.SessionOpened(view(opened));
    }

    private Outcome close(Command.CloseSession it) {
        Promise session = session(it.session());
        if (session == null) {
            return new Outcome.NoSuchSession();
        }
        promises.remove(session);
        leaveAll(session, End.GAVE_UP);
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
        Claim hold = held(it.name());
        if (hold == null || !hold.owner().equals(it.owner()) || !hasToken(hold, it.token())) {
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
        settle(it.name(), it.owner(), true);
        if (it.owner() instanceof Owner.OfSession owner && it.request() instanceof Request.Numbered request) {
            if (request.number() <= seenUpTo(owner.session())) {
                return new Outcome.AlreadyAnswered();
            }
            seen.add(new Seen(owner.session(), request.seenUpTo()));
            done.removeIf(past -> owner.session().equals(past.session)
                    && ((Request.Numbered) past.request).number() <= request.seenUpTo());
        }
        Optional<Outcome> past = remembered(it.owner(), it.name(), it.request());
        return past.orElseGet(() -> switch (it) {
            case Command.Acquire acquire -> acquire(acquire);
            case Command.GiveUp giveUp -> giveUp(giveUp);
            case Command.Release release -> release(release);
        });
    }

    /** What is due counts as ended for a command that touches it, swept or not. */
    private void settle(LockName name, Owner owner, boolean alsoWaiter) {
        for (Claim hold = held(name); hold != null && expireIfDue(hold.promise); hold = held(name)) {
            // the next holder may be due as well
        }
        Claim waiter = claim(name, owner);
        if (alsoWaiter
                && waiter != null
                && !waiter.isHeld()
                && !expireIfDue(waiter.promise)
                && waiter.waitDeadline <= clock) {
            leave(waiter, End.TIMED_OUT);
        }
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
        if (mine != null && it.owner() instanceof Owner.OneShot) {
            remember(it.owner(), it.request(), new Outcome.OwnerBusy(Optional.empty()));
            return new Outcome.OwnerBusy(holder(it.name()));
        }
        if (mine != null) {
            return askAnew(it, mine);
        }
        if (it.owner() instanceof Owner.OfSession owner) {
            if (claims.stream().filter(c -> c.owner().equals(owner)).count() >= limits.locksPerSession()) {
                return new Outcome.LimitReached("locks of one session", limits.locksPerSession());
            }
        } else if (promises.size() >= limits.leases()) {
            return new Outcome.LimitReached("leases of the store", limits.leases());
        }
        boolean free = held(it.name()) == null;
        if (!free && it.waitNanos() == 0) {
            remember(it.owner(), it.request(), new Outcome.Held(Optional.empty()));
            return new Outcome.Held(holder(it.name()));
        }
        if (!free && waiters(it.name()).count() >= limits.waitersPerLock()) {
            return new Outcome.LimitReached("waiters of one lock", limits.waitersPerLock());
        }
        Promise promise = it.owner() instanceof Owner.OfSession owner
                ? Objects.requireNonNull(session(owner.session()))
                : promise(it.owner(), it.ttlNanos(), it.label());
        prolong(promise);
        Claim claim = new Claim(it.name(), promise, free ? 0 : ++births, index, clock, waitDeadline(it));
        claim.requests.add(it.request());
        claims.add(claim);
        if (free) {
            grant(claim);
        } else {
            events.add(new Event.Queued(it.name(), it.owner()));
        }
        return stands(claim);
    }

    private Outcome askAnew(Command.Acquire it, Claim mine) {
        if (!mine.isHeld() && it.waitNanos() == 0) {
            remember(it.owner(), it.request(), new Outcome.Held(Optional.empty()));
            return new Outcome.Held(holder(it.name()));
        }
        SessionId session = ((Owner.OfSession) it.owner()).session();
        mine.requests.removeIf(
                one -> one instanceof Request.Numbered numbered && numbered.number() <= seenUpTo(session));
        mine.requests.add(it.request());
        if (!mine.isHeld()) {
            mine.waitDeadline = Math.max(mine.waitDeadline, waitDeadline(it));
        }
        prolong(mine.promise);
        return stands(mine);
    }

    private Outcome giveUp(Command.GiveUp it) {
        Claim mine = claim(it.name(), it.owner());
        boolean known = mine != null && mine.answers(it.request());
        if (mine != null && known && mine.isHeld()) {
            return new Outcome.Granted(view(mine));
        }
        Outcome gaveUp = new Outcome.Ended(End.GAVE_UP, Optional.empty());
        if (mine != null && known && mine.requests.size() == 1) {
            leave(mine, End.GAVE_UP);
            return gaveUp;
        }
        if (mine != null && known) {
            mine.requests.removeIf(it.request()::isSameAs);
        } else {
            Optional<Outcome> refusal = refusalToRemember(it.owner(), it.request());
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        remember(it.owner(), it.request(), gaveUp);
        return gaveUp;
    }

    private Outcome release(Command.Release it) {
        Optional<Outcome> refusal = refusalToRemember(it.owner(), it.request());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Claim hold = held(it.name());
        if (hold == null || !hold.owner().equals(it.owner()) || !hasToken(hold, it.token())) {
            remember(it.owner(), it.request(), new Outcome.NotHeld(Optional.empty()));
            return new Outcome.NotHeld(holder(it.name()));
        }
        Outcome released = new Outcome.Released(new FencingToken(hold.token));
        remember(it.owner(), it.request(), released);
        end(hold, End.RELEASED);
        return released;
    }

    // ---- looking

    private Outcome stands(Claim claim) {
        return claim.isHeld()
                ? new Outcome.Granted(view(claim))
                : new Outcome.Queued(holder(claim.name).orElseThrow());
    }

    private Promise promise(Owner owner, long ttl, String label) {
        Promise promise = new Promise(owner, ++births, label, ttl, clock + ttl);
        promises.add(promise);
        return promise;
    }

    private void prolong(Promise promise) {
        promise.deadline = Math.max(promise.deadline, clock + promise.ttl);
    }

    private long waitDeadline(Command.Acquire it) {
        return it.waitNanos() > Long.MAX_VALUE - clock ? Long.MAX_VALUE : clock + it.waitNanos();
    }

    private static boolean hasToken(Claim hold, Optional<FencingToken> token) {
        return token.map(it -> it.value() == hold.token).orElse(true);
    }

    private @Nullable Promise session(SessionId id) {
        Promise session = promises.stream()
                .filter(it -> it.owner.equals(new Owner.OfSession(id)))
                .findFirst()
                .orElse(null);
        return session == null || expireIfDue(session) ? null : session;
    }

    @Nullable
    Claim held(LockName name) {
        return claims.stream()
                .filter(it -> it.name.equals(name) && it.isHeld())
                .findFirst()
                .orElse(null);
    }

    Stream<Claim> waiters(LockName name) {
        return claims.stream().filter(it -> it.name.equals(name) && !it.isHeld());
    }

    private @Nullable Claim firstWaiter(LockName name) {
        return waiters(name).findFirst().orElse(null);
    }

    private @Nullable Claim claim(LockName name, Owner owner) {
        return claims.stream()
                .filter(it -> it.name.equals(name) && it.owner().equals(owner))
                .findFirst()
                .orElse(null);
    }

    private Optional<HoldView> holder(LockName name) {
        return Optional.ofNullable(held(name)).map(this::view);
    }

    HoldView view(Claim it) {
        return new HoldView(
                it.name,
                it.owner(),
                it.promise.label,
                new FencingToken(it.token),
                it.grantIndex,
                it.promise.ttl,
                clock - it.grantedAt,
                Math.max(0, it.promise.deadline - clock));
    }

    WaiterView waiterView(Claim it) {
        return new WaiterView(
                it.owner(),
                it.promise.label,
                it.queuedIndex,
                clock - it.queuedAt,
                it.waitDeadline == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, it.waitDeadline - clock),
                Math.max(0, it.promise.deadline - clock));
    }

    private SessionView view(Promise session) {
        long holds = of(session).filter(Claim::isHeld).count();
        return new SessionView(
                ((Owner.OfSession) session.owner).session(),
                session.label,
                session.ttl,
                Math.max(0, session.deadline - clock),
                (int) holds,
                (int) (of(session).count() - holds));
    }

    List<SessionView> sessions() {
        return promises.stream()
                .filter(it -> it.owner instanceof Owner.OfSession)
                .map(this::view)
                .toList();
    }

    List<LockView> locks() {
        return claims.stream()
                .map(it -> it.name)
                .distinct()
                .sorted()
                .map(name -> new LockView(
                        name,
                        List.of(holder(name).orElseThrow()),
                        waiters(name).map(this::waiterView).toList(),
                        (int) waiters(name).count()))
                .toList();
    }

    /** Requests remembered by id. */
    long rememberedRequests() {
        return done.stream().filter(it -> it.session == null).count();
    }
}
