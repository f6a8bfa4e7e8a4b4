package io.holdfast.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the naive service knows, what befalls it by itself, and how it looks: flat lists, searched from end to end, nothing kept that can be found again. */
abstract class NaiveStore {
    final Limits limits;
    final List<Promise> promises = new ArrayList<>();
    final List<Claim> claims = new ArrayList<>();
    final List<Pause> pauses = new ArrayList<>();
    final NaiveMemory memory;

    /** Locks whose first in the queue has left: to be looked at once whatever is under way is done. */
    final List<LockName> touched = new ArrayList<>();

    List<Event> events = new ArrayList<>();

    /** How many events of the last entry there were before its first command, and after each. */
    final List<Integer> marks = new ArrayList<>();

    long clock;
    long index;
    int featureLevel = 1;
    long lastToken;
    long births;

    NaiveStore(Limits limits) {
        this.limits = limits;
        this.memory = new NaiveMemory(limits);
    }

    // ---- what is due

    /** The end of a lease, of a wait, of a pause or of a grace. */
    record Due(long deadline, long born, Object what) {}

    void sweep() {
        Stream<Due> leases = promises.stream().map(it -> new Due(it.deadline, it.born, it));
        Stream<Due> waits = claims.stream()
                .filter(it -> !it.isHeld())
                // One that waits for a set is swept once.
                .filter(it -> it.bundle == null || it.bundle.claims.get(0) == it)
                .map(it -> new Due(it.waitDeadline, it.born, it));
        Stream<Due> delays = pauses.stream().map(it -> new Due(it.until, it.born, it));
        Stream<Due> graces = warnings().map(it -> new Due(it.until, it.born, it));
        List<Due> due = Stream.of(leases, waits, delays, graces)
                .flatMap(it -> it)
                .filter(it -> it.deadline <= clock)
                .sorted(Comparator.comparingLong(Due::deadline).thenComparingLong(Due::born))
                .toList();
        List<Promise> dead = new ArrayList<>();
        List<Warning> over = new ArrayList<>();
        int swept = 0;
        for (Due it : due) {
            if (swept == limits.expiryBatch()) {
                break;
            }
            // Some left with their lease earlier in this loop.
            if (it.what instanceof Promise promise && promises.contains(promise)) {
                swept++;
                promises.remove(promise);
                leaveAll(promise, End.EXPIRED);
                dead.add(promise);
            } else if (it.what instanceof Pause pause) {
                swept++;
                pauses.remove(pause);
                touched.add(pause.name);
            } else if (it.what instanceof Claim claim && claims.contains(claim)) {
                swept++;
                leave(claim, claim.promise.deadline <= clock ? End.EXPIRED : End.TIMED_OUT);
            } else if (it.what instanceof Warning warning) {
                swept++;
                over.add(warning);
            }
        }
        moveOn();
        dead.forEach(promise -> endAll(promise, End.EXPIRED));
        over.forEach(warning ->
                claims.stream().filter(it -> it.warning == warning).findFirst().ifPresent(it -> end(it, End.REVOKED)));
    }

    Stream<Warning> warnings() {
        return claims.stream().map(it -> it.warning).filter(Objects::nonNull);
    }

    boolean expireIfDue(Promise promise) {
        if (promise.deadline > clock) {
            return false;
        }
        promises.remove(promise);
        leaveAll(promise, End.EXPIRED);
        moveOn();
        endAll(promise, End.EXPIRED);
        return true;
    }

    // ---- ends

    void leaveAll(Promise promise, End how) {
        of(promise).filter(it -> !it.isHeld()).toList().forEach(it -> {
            // Some left with the set to which they belong.
            if (claims.contains(it)) {
                leave(it, how);
            }
        });
    }

    void endAll(Promise promise, End how) {
        if (promise.owner instanceof Owner.OfSession owner) {
            memory.sessionEnded(owner.session(), clock);
        }
        of(promise).toList().forEach(it -> end(it, how));
        if (promise.owner instanceof Owner.OfSession owner) {
            memory.forget(owner.session());
            events.add(new Event.SessionEnded(owner.session(), promise.label, how));
        }
    }

    /** All claims under a lease, by name. */
    Stream<Claim> of(Promise promise) {
        return claims.stream().filter(it -> it.promise == promise).sorted(Comparator.comparing(it -> it.name));
    }

    void leave(Claim waiter, End how) {
        List<Claim> all = waiter.bundle == null ? List.of(waiter) : waiter.bundle.claims;
        List<Request> requests = waiter.bundle == null ? waiter.requests : waiter.bundle.requests;
        all.forEach(this::touchIfFirst);
        claims.removeAll(all);
        requests.forEach(it -> remember(waiter.owner(), it, new Outcome.Ended(how, Optional.empty())));
        all.forEach(it -> events.add(new Event.LeftQueue(it.name, it.owner(), it.label(), how)));
        dropIfIdle(waiter.promise);
    }

    void touchIfFirst(Claim waiter) {
        if (firstWaiter(waiter.name) == waiter) {
            touched.add(waiter.name);
        }
    }

    void end(Claim hold, End how) {
        drop(hold, how);
        events.add(new Event.HoldEnded(hold.name, hold.owner(), hold.label(), new FencingToken(hold.token), how));
        dropIfIdle(hold.promise);
        if ((how == End.EXPIRED || how == End.REVOKED) && hold.terms.lockDelayNanos() > 0) {
            pause(hold);
        }
        touched.add(hold.name);
        moveOn();
    }

    void drop(Claim hold, End how) {
        claims.remove(hold);
        FencingToken token = new FencingToken(hold.token);
        Outcome ended = new Outcome.Ended(how, Optional.of(token));
        hold.requests.forEach(it -> remember(hold.owner(), it, ended));
        if (hold.bundle != null) {
            hold.bundle.claims.remove(hold);
            if (hold.bundle.claims.isEmpty()) {
                hold.bundle.requests.forEach(it -> remember(hold.owner(), it, ended));
            }
        }
    }

    private void pause(Claim ended) {
        long until = clock + ended.terms.lockDelayNanos();
        Pause present = pauses.stream()
                .filter(it -> it.name.equals(ended.name))
                .findFirst()
                .orElse(null);
        if (present == null) {
            pauses.add(new Pause(ended.name, ++births, ended.terms.mode().capacity(), until));
        } else {
            present.until = Math.max(present.until, until);
        }
    }

    /** Where the first of a queue left or a hold ended: grants in the order of coming, until one cannot be granted. */
    void moveOn() {
        while (!touched.isEmpty()) {
            LockName name = touched.remove(0);
            for (Claim first = firstWaiter(name); first != null && !isHeldAlone(name); first = firstWaiter(name)) {
                boolean leaseOver = first.promise.deadline <= clock;
                if (leaseOver || first.waitDeadline <= clock) {
                    leave(first, leaseOver ? End.EXPIRED : End.TIMED_OUT);
                } else if (isTurnOf(first)) {
                    List<Claim> all = first.bundle == null ? List.of(first) : first.bundle.claims;
                    all.forEach(this::touchIfFirst);
                    grant(all);
                } else {
                    break;
                }
            }
        }
    }

    private boolean isTurnOf(Claim waiter) {
        List<Claim> all = waiter.bundle == null ? List.of(waiter) : waiter.bundle.claims;
        return all.stream().allMatch(it -> firstWaiter(it.name) == it && hasRoom(it.terms, it.name));
    }

    boolean isHeldAlone(LockName name) {
        return holders(name).stream().anyMatch(it -> it.terms.mode() == Mode.EXCLUSIVE);
    }

    boolean hasRoom(Terms terms, LockName name) {
        if (pauses.stream().anyMatch(it -> it.name.equals(name))) {
            return false;
        }
        if (terms.mode() instanceof Mode.Permits some) {
            return some.permits()
                            + holders(name).stream().mapToInt(Claim::permits).sum()
                    <= some.capacity();
        }
        return holders(name).isEmpty() || (terms.mode() == Mode.SHARED && !isHeldAlone(name));
    }

    void dropIfIdle(Promise promise) {
        if (promise.owner instanceof Owner.OneShot && of(promise).findAny().isEmpty()) {
            promises.remove(promise);
        }
    }

    /** One token for all. */
    void grant(List<Claim> all) {
        lastToken = Math.max(lastToken + 1, index * 65_536);
        for (Claim claim : all) {
            setToken(claim);
            events.add(new Event.Acquired(
                    claim.name,
                    claim.owner(),
                    claim.label(),
                    new FencingToken(claim.token),
                    claim.terms.mode(),
                    claim.terms.value()));
        }
    }

    void setNextToken(Claim claim) {
        lastToken = Math.max(lastToken + 1, index * 65_536);
        setToken(claim);
    }

    private void setToken(Claim claim) {
        claim.token = lastToken;
        claim.grantIndex = index;
        claim.grantedAt = clock;
    }

    // ---- what is remembered

    void remember(Owner owner, Request request, Outcome answer) {
        memory.remember(owner, request, answer, clock);
    }

    Optional<Outcome> refusalToRemember(Owner owner, Request request) {
        return memory.refusalToRemember(owner, request, clock);
    }

    /** The same answer once more; but who holds the lock is told as of now. */
    Outcome again(Outcome answer, LockName name, Owner owner) {
        return switch (answer) {
            case Outcome.Held held -> new Outcome.Held(holder(name));
            case Outcome.OwnerBusy busy -> new Outcome.OwnerBusy(holder(name));
            case Outcome.NotHeld notHeld -> new Outcome.NotHeld(holder(name));
            case Outcome.OtherMode other -> new Outcome.OtherMode(holder(name));
            case Outcome.NotAlone notAlone -> new Outcome.NotAlone(holders(name).size());
            case Outcome.OtherKind other ->
                new Outcome.OtherKind(name, capacity(name).orElse(0));
            case Outcome.PartOfSet part -> new Outcome.PartOfSet(name);
            case Outcome.FewerPermits fewer -> {
                Claim mine = held(name, owner);
                yield new Outcome.FewerPermits(mine == null ? 0 : mine.permits());
            }
            case Outcome.PermitsReleased done ->
                new Outcome.PermitsReleased(done.token(), same(name, owner, done.token()));
            case Outcome.Revoked revoked ->
                holders(name).stream()
                        .filter(it -> it.token == revoked.token().value())
                        .findFirst()
                        .<Outcome>map(it -> new Outcome.Revoking(view(it)))
                        .orElse(revoked);
            case Outcome.Proclaimed done -> new Outcome.Proclaimed(done.token(), same(name, owner, done.token()));
            default -> answer;
        };
    }

    /** What is due counts as ended for a command that touches it, swept or not. */
    void settle(LockName name, Owner owner, boolean alsoWaiter) {
        for (Claim due = dueHolder(name); due != null; due = dueHolder(name)) {
            // The next holder may be over as well.
            if (!expireIfDue(due.promise)) {
                end(due, End.REVOKED);
            }
        }
        pauses.removeIf(it -> it.name.equals(name) && it.until <= clock);
        touched.add(name);
        moveOn();
        Claim waiter = claim(name, owner);
        if (alsoWaiter
                && waiter != null
                && !waiter.isHeld()
                && !expireIfDue(waiter.promise)
                && waiter.waitDeadline <= clock) {
            leave(waiter, End.TIMED_OUT);
            moveOn();
        }
    }

    @Nullable
    Claim dueHolder(LockName name) {
        return holders(name).stream().filter(this::isOver).findFirst().orElse(null);
    }

    private boolean isOver(Claim hold) {
        return hold.promise.deadline <= clock || (hold.warning != null && hold.warning.until <= clock);
    }

    /** What the client has seen answered it will not ask again. */
    void dropSeen(Owner of, List<Request> requests) {
        if (of instanceof Owner.OfSession owner) {
            long upTo = memory.seenUpTo(owner.session());
            requests.removeIf(one -> one instanceof Request.Numbered it && it.number() <= upTo);
        }
    }

    /** Why one that has no part in a lock cannot have a part in so many. */
    Optional<Outcome> refusalOfMore(Owner of, int locks) {
        if (of instanceof Owner.OfSession) {
            boolean isFull =
                    claims.stream().filter(it -> it.owner().equals(of)).count() + locks > limits.locksPerSession();
            return isFull
                    ? Optional.of(new Outcome.LimitReached("locks of one session", limits.locksPerSession()))
                    : Optional.empty();
        }
        return promises.size() >= limits.leases()
                ? Optional.of(new Outcome.LimitReached("leases of the store", limits.leases()))
                : Optional.empty();
    }

    /** Why there cannot be locks of these names, as far as there are none yet. */
    Optional<Outcome> refusalOfNames(List<LockName> names) {
        List<LockName> present = locks().stream().map(LockView::name).toList();
        List<LockName> after =
                Stream.concat(present.stream(), names.stream()).distinct().toList();
        if (featureLevel < 2 || after.size() == present.size()) {
            return Optional.empty();
        }
        if (after.size() > limits.locks()) {
            return Optional.of(new Outcome.LimitReached("locks of the store", limits.locks()));
        }
        boolean isFull = names.stream()
                .filter(name -> !present.contains(name) && name.value().contains("/"))
                .anyMatch(name -> after.stream()
                                .filter(it -> it.value().startsWith(name.value().split("/", 2)[0] + "/"))
                                .count()
                        > limits.locksPerNamespace());
        return isFull
                ? Optional.of(new Outcome.LimitReached("locks of one namespace", limits.locksPerNamespace()))
                : Optional.empty();
    }

    // ---- looking

    Outcome stands(Claim claim) {
        return claim.isHeld() ? new Outcome.Granted(view(claim)) : new Outcome.Queued(holder(claim.name));
    }

    Outcome stands(Bundle bundle) {
        return bundle.claims.get(0).isHeld() ? grantedAll(bundle) : new Outcome.Queued(blocker(bundle));
    }

    Outcome grantedAll(Bundle bundle) {
        return new Outcome.GrantedAll(
                new FencingToken(bundle.claims.get(0).token),
                bundle.claims.stream().map(this::view).toList());
    }

    /** Who holds the first of the locks that it has to wait for. */
    Optional<HoldView> blocker(Bundle bundle) {
        return bundle.claims.stream()
                .filter(it -> firstWaiter(it.name) != it || !hasRoom(it.terms, it.name))
                .findFirst()
                .flatMap(it -> holder(it.name));
    }

    Promise promise(Owner owner, long ttl, String label) {
        Promise promise = new Promise(owner, ++births, label, ttl, clock + ttl);
        promises.add(promise);
        return promise;
    }

    void prolong(Promise promise) {
        promise.deadline = Math.max(promise.deadline, clock + promise.ttl);
    }

    long waitDeadline(long waitNanos) {
        return waitNanos > Long.MAX_VALUE - clock ? Long.MAX_VALUE : clock + waitNanos;
    }

    static boolean hasToken(Claim hold, Optional<FencingToken> token) {
        return token.map(it -> it.value() == hold.token).orElse(true);
    }

    @Nullable
    Promise session(SessionId id) {
        Promise session = promises.stream()
                .filter(it -> it.owner.equals(new Owner.OfSession(id)))
                .findFirst()
                .orElse(null);
        return session == null || expireIfDue(session) ? null : session;
    }

    /** The hold if it is still the one that the answer was about. */
    private Optional<HoldView> same(LockName name, Owner owner, FencingToken token) {
        return Optional.ofNullable(held(name, owner))
                .filter(it -> it.token == token.value())
                .map(this::view);
    }

    /** What those who hold it or wait for it have said, or did before the pause that there is; empty if nobody did. */
    Optional<Integer> capacity(LockName name) {
        return Stream.concat(
                        claims.stream()
                                .filter(it -> it.name.equals(name))
                                .map(it -> it.terms.mode().capacity()),
                        pauses.stream().filter(it -> it.name.equals(name)).map(it -> it.capacity))
                .findFirst();
    }

    /** In order of tokens. */
    List<Claim> holders(LockName name) {
        return claims.stream()
                .filter(it -> it.name.equals(name) && it.isHeld())
                .sorted(Comparator.comparingLong(it -> it.token))
                .toList();
    }

    @Nullable
    Claim held(LockName name, Owner owner) {
        Claim claim = claim(name, owner);
        return claim != null && claim.isHeld() ? claim : null;
    }

    Stream<Claim> waiters(LockName name) {
        return claims.stream().filter(it -> it.name.equals(name) && !it.isHeld());
    }

    @Nullable
    Claim firstWaiter(LockName name) {
        return waiters(name).findFirst().orElse(null);
    }

    @Nullable
    Claim claim(LockName name, Owner owner) {
        return claims.stream()
                .filter(it -> it.name.equals(name) && it.owner().equals(owner))
                .findFirst()
                .orElse(null);
    }

    Optional<HoldView> holder(LockName name) {
        return holders(name).stream().findFirst().map(this::view);
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
                Math.max(0, it.promise.deadline - clock),
                it.terms,
                Optional.ofNullable(it.warning)
                        .map(one -> new NoticeView(Math.max(0, one.until - clock), one.reason, one.by)));
    }

    WaiterView waiterView(Claim it) {
        return new WaiterView(
                it.owner(),
                it.promise.label,
                it.queuedIndex,
                clock - it.queuedAt,
                it.waitDeadline == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, it.waitDeadline - clock),
                Math.max(0, it.promise.deadline - clock),
                it.terms);
    }

    SessionView view(Promise session) {
        long holds = of(session).filter(Claim::isHeld).count();
        return new SessionView(
                ((Owner.OfSession) session.owner).session(),
                session.label,
                session.ttl,
                Math.max(0, session.deadline - clock),
                (int) holds,
                (int) (of(session).count() - holds),
                session.metadata);
    }

    List<SessionView> sessions() {
        return promises.stream()
                .filter(it -> it.owner instanceof Owner.OfSession)
                .map(this::view)
                .toList();
    }

    List<LockView> locks() {
        return Stream.concat(claims.stream().map(it -> it.name), pauses.stream().map(it -> it.name))
                .distinct()
                .sorted()
                .map(name -> new LockView(
                        name,
                        holders(name).stream().map(this::view).toList(),
                        waiters(name).map(this::waiterView).toList(),
                        (int) waiters(name).count(),
                        pauses.stream()
                                .filter(it -> it.name.equals(name))
                                .mapToLong(it -> Math.max(0, it.until - clock))
                                .findFirst()
                                .orElse(0)))
                .toList();
    }

    TokenCheck check(LockName name, FencingToken token) {
        List<Claim> live = holders(name).stream().filter(it -> !isOver(it)).toList();
        return live.stream()
                .filter(it -> it.token == token.value())
                .<TokenCheck>map(it -> new TokenCheck.Current(view(it)))
                .findFirst()
                .orElseGet(() -> live.isEmpty()
                        ? new TokenCheck.Free()
                        : new TokenCheck.Stale(new FencingToken(live.get(live.size() - 1).token)));
    }

    /** Requests remembered by id. */
    long rememberedRequests() {
        return memory.requestsById();
    }
}
