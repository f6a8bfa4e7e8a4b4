package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The lock table, a replay of it and the naive service side by side: fed the same entries, compared after each, and held to the promises of the design by a ledger. */
final class Duel {
    /** An entry of the log. */
    record Entry(Position position, List<Command> commands) {}

    private static final long MILLI = 1_000_000;
    private static final long[] TTLS = {100, 100, 200, 300, 500, 700, 1_000, 3_000, 150, 100, 400, 2_000};
    private static final long[] WAITS = {0, 0, 50, 100, 150, 300, 1_000, 5_000, -1, -1, 250, 700};
    private static final long[] PAUSES = {1, 10, 40, 50, 99, 100, 101, 250, 500, 1_000, 1_500, 61_000};

    private final LockTable table;
    private final LockTable replay;
    private final NaiveLockService naive;
    private final Ledger ledger = new Ledger();
    private final Chronicle chronicle;
    private final List<Entry> log = new ArrayList<>();
    private final List<Command> sent = new ArrayList<>();
    private final List<Command.Once> acquires = new ArrayList<>();
    private final Set<Command.Once> queuedOrGranted = new HashSet<>();
    private final Map<SessionId, Long> numbers = new HashMap<>();
    private final int[] generations = new int[5];
    private final List<String> story = new ArrayList<>();
    private final List<Command> entry = new ArrayList<>();
    private final Limits limits;
    private long index;
    private long now;
    private long requests;

    Duel(Limits limits) {
        this.limits = limits;
        table = new LockTable(limits);
        replay = new LockTable(limits);
        naive = new NaiveLockService(limits);
        chronicle = new Chronicle(limits);
    }

    void run(List<Step> steps) {
        try {
            for (Step step : steps) {
                take(step);
            }
            commit();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(e.getMessage() + "\nafter\n  " + String.join("\n  ", story), e);
        }
    }

    Limits limits() {
        return limits;
    }

    /** {@return the entries so far} */
    List<Entry> log() {
        return log;
    }

    /** {@return the commands so far} */
    List<Command> sent() {
        return sent;
    }

    private void take(Step step) {
        switch (step.kind()) {
            case PASS -> {
                commit();
                now += pause(step);
            }
            case TICK -> {
                commit();
                commitEntry();
            }
            default -> {
                command(step).ifPresent(entry::add);
                if (!step.joined()) {
                    commit();
                }
            }
        }
    }

    private void commit() {
        if (!entry.isEmpty()) {
            commitEntry();
        }
    }

    private void commitEntry() {
        index += 1 + index % 3; // indexes have gaps
        List<Command> commands = List.copyOf(entry);
        entry.clear();
        sent.addAll(commands);
        Position position = new Position(index, now);
        story.add(position + " " + commands);
        log.add(new Entry(position, commands));
        List<Long> unsweptBefore = dueDeadlines();
        Optional<Outcome> standing = standing(commands);
        Applied got = table.apply(position, commands);
        story.add("    -> " + got.outcomes() + " " + got.events());
        Cycles.check(got, table);
        assertThat(Cycles.without(got)).isEqualTo(naive.apply(position, commands));
        assertThat(replay.apply(position, commands)).isEqualTo(got);
        standing.filter(it -> !(got.outcomes().get(0) instanceof Outcome.AlreadyAnswered))
                .ifPresent(it -> assertThat(withoutTimes(it))
                        .as("how it stood before")
                        .isEqualTo(withoutTimes(got.outcomes().get(0))));
        compare();
        chronicle.see(got, naive.marks, table);
        account(got, commands);
        checkHolders();
        checkExpiry(unsweptBefore);
        checkStandings();
    }

    /** Lets the ledger see the entry as it went: sweep, then command by command. */
    private void account(Applied applied, List<Command> commands) {
        List<Event> events = applied.events();
        ledger.begin(applied.position());
        ledger.swept(events.subList(0, naive.marks.get(0)));
        for (int i = 0; i < commands.size(); i++) {
            ledger.ran(
                    commands.get(i),
                    applied.outcomes().get(i),
                    events.subList(naive.marks.get(i), naive.marks.get(i + 1)));
            boolean taken = switch (applied.outcomes().get(i)) {
                case Outcome.Queued it -> true;
                case Outcome.Granted it -> true;
                case Outcome.GrantedAll it -> true;
                default -> false;
            };
            if (taken && isAcquire(commands.get(i))) {
                queuedOrGranted.add((Command.Once) commands.get(i));
            }
        }
        if (limits.expiryBatch() > 1_000 || dueDeadlines().isEmpty()) {
            ledger.nothingOutlivesItsEnd();
            ledger.nobodyWaitsWithoutReason();
        }
    }

    /** How an acquire stands that is about to be sent again and finds the state as it is. */
    private Optional<Outcome> standing(List<Command> commands) {
        return commands.size() == 1
                        && now <= naive.clock
                        && dueDeadlines().isEmpty()
                        && isAcquire(commands.get(0))
                        && commands.get(0) instanceof Command.Once acquire
                        && queuedOrGranted.contains(acquire)
                        && !ledger.wasUsedAgain(acquire.owner())
                ? Optional.of(standing(acquire))
                : Optional.empty();
    }

    private static boolean isAcquire(Command command) {
        return command instanceof Command.Acquire || command instanceof Command.AcquireAll;
    }

    private Outcome standing(Command.Once command) {
        return switch (command) {
            case Command.Acquire acquire -> table.standing(acquire);
            case Command.AcquireAll all -> table.standing(all);
            default -> throw new AssertionError(command);
        };
    }

    /** What stays of an outcome when the lease of the hold in it is renewed. */
    private static Object withoutTimes(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Granted it ->
                List.of("granted", it.hold().token(), it.hold().terms());
            case Outcome.GrantedAll it ->
                List.of(
                        "granted",
                        it.token(),
                        it.holds().stream().map(HoldView::name).toList());
            case Outcome.Queued it -> List.of("queued", it.holder().map(HoldView::token));
            default -> outcome;
        };
    }

    /** The visible state of both is the same, and that of the replay, digest included. */
    private void compare() {
        assertThat(table.locks("", "", Integer.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(naive.locks());
        assertThat(naive.sessions())
                .allSatisfy(it -> assertThat(table.session(it.session())).contains(it));
        assertThat(table.leaseCount()).isEqualTo(naive.promises.size());
        assertThat(table.nextDeadlineNanos()).isEqualTo(nextDeadline());
        assertThat(table.appliedIndex()).isEqualTo(index);
        assertThat(table.clockNanos()).isEqualTo(naive.clock);
        assertThat(table.featureLevel()).isEqualTo(naive.featureLevel);
        assertThat(replay.digest()).isEqualTo(table.digest());
        compareChecks();
        // I7: nothing but bounded memories is left of names that nobody holds or waits for.
        if (naive.claims.isEmpty() && naive.pauses.isEmpty()) {
            assertThat(table.locks("", "", 1, 0)).isEmpty();
        }
        assertThat(naive.rememberedRequests()).isLessThanOrEqualTo(limits.finishedRequests());
    }

    /** Of each token that there is, and one between. */
    private void compareChecks() {
        for (Claim claim : naive.claims) {
            if (claim.isHeld()) {
                for (long token : new long[] {claim.token, claim.token - 1}) {
                    assertThat(table.check(claim.name, new FencingToken(token)))
                            .isEqualTo(naive.check(claim.name, new FencingToken(token)));
                }
            }
        }
    }

    /** I1, I2: only such hold a name together as may, each with a token made from the index that granted it. */
    private void checkHolders() {
        for (LockView lock : table.locks("", "", Integer.MAX_VALUE, Integer.MAX_VALUE)) {
            if (lock.holders().isEmpty()) {
                assertThat(!lock.waiters().isEmpty() || !naive.pauses.isEmpty()).isTrue();
                continue;
            }
            Ledger.checkTogether(
                    lock.holders().stream().map(it -> it.terms().mode()).toList());
            assertThat(lock.holders())
                    .allSatisfy(hold ->
                            assertThat(hold.logIndex()).isEqualTo(hold.token().value() / FencingToken.PER_ENTRY));
        }
    }

    /** I4: an entry ends all that is due, or a whole batch of it. */
    private void checkExpiry(List<Long> dueBefore) {
        int left = dueDeadlines().size();
        int most = Math.max(0, dueBefore.size() - limits.expiryBatch());
        assertThat(left).isLessThanOrEqualTo(most);
    }

    private List<Long> dueDeadlines() {
        return deadlines().filter(it -> it <= now).boxed().toList();
    }

    /** Of leases, waits, pauses and revocations. */
    private LongStream deadlines() {
        return Stream.of(
                        naive.promises.stream().mapToLong(it -> it.deadline),
                        naive.pauses.stream().mapToLong(it -> it.until),
                        naive.warnings().mapToLong(it -> it.until),
                        naive.claims.stream().filter(it -> !it.isHeld()).mapToLong(it -> it.waitDeadline))
                .flatMapToLong(it -> it);
    }

    /** Looking how an acquire stands changes nothing. */
    private void checkStandings() {
        String before = table.digest();
        acquires.forEach(this::standing);
        assertThat(table.digest()).isEqualTo(before);
    }

    private OptionalLong nextDeadline() {
        return deadlines().filter(it -> it != Long.MAX_VALUE).min();
    }

    // ---- from choices to commands

    /** The command that a step would be now; empty if it is none. */
    Optional<Command> command(Step step) {
        return switch (step.kind()) {
            case ACQUIRE -> Optional.of(acquire(step));
            case ASK_AGAIN -> lastAcquireOf(step).map(it -> it);
            case GIVE_UP -> lastAcquireOf(step).map(Duel::givingUp);
            case RELEASE ->
                Optional.of(new Command.Release(owner(step), name(step), request(step), token(step), permits(step)));
            case CONVERT ->
                Optional.of(new Command.Convert(
                        owner(step),
                        name(step),
                        request(step),
                        token(step),
                        step.c() < 6 ? Mode.EXCLUSIVE : Mode.SHARED));
            case PROCLAIM ->
                Optional.of(
                        new Command.Proclaim(owner(step), name(step), request(step), token(step), "v" + step.c() % 3));
            case HAND_OFF -> Optional.of(handOff(step));
            case REVOKE -> Optional.of(revoke(step));
            case ACQUIRE_ALL -> Optional.of(acquireAll(step));
            case RELEASE_ALL ->
                Optional.of(new Command.ReleaseAll(owner(step), names(step), request(step), token(step)));
            case RENEW -> Optional.of(renew(step));
            case OPEN ->
                Optional.of(new Command.OpenSession(
                        session(step, step.b() < 3),
                        issuedAt(step),
                        TTLS[step.a()] * MILLI,
                        "s" + step.who(),
                        step.c() > 8 ? "m" + step.b() : ""));
            case CLOSE -> Optional.of(new Command.CloseSession(session(step, false)));
            case RAISE -> Optional.of(new Command.RaiseFeatureLevel(1 + step.a() % 2));
            case RESEND ->
                sent.isEmpty()
                        ? Optional.empty()
                        : Optional.of(sent.get((step.a() * 12 + step.b()) * 31 % sent.size()));
            case PASS, TICK -> Optional.empty();
        };
    }

    private Command.Acquire acquire(Step step) {
        long wait = WAITS[step.b()];
        Command.Acquire acquire = new Command.Acquire(
                owner(step),
                name(step),
                request(step),
                TTLS[step.a()] * MILLI,
                wait < 0 ? Bounds.WAIT_FOREVER : wait * MILLI,
                "w" + step.who(),
                terms(name(step), step),
                step.a() == 7);
        acquires.add(acquire);
        return acquire;
    }

    /** Sometimes with a value or a lock-delay. */
    private static Terms terms(LockName name, Step step) {
        String value = step.a() % 3 == 0 ? "v" + step.b() : "";
        long delay = (step.a() + step.b()) % 5 == 0 ? PAUSES[step.b() % 8] * MILLI : 0;
        return new Terms(mode(name, step), value, delay);
    }

    /** One of the names is a semaphore mostly, the others hardly ever. */
    private static Mode mode(LockName name, Step step) {
        if (name.value().equals("n2") ? step.c() > 1 : step.c() == 0) {
            int capacity = step.c() == 11 ? 2 : 3;
            return new Mode.Permits(1 + step.a() % capacity, capacity);
        }
        return step.c() < 6 ? Mode.EXCLUSIVE : Mode.SHARED;
    }

    /** Mostly all, sometimes some. */
    private static int permits(Step step) {
        return step.name() == 2 ? step.c() % 4 : step.c() == 0 ? 1 : 0;
    }

    private Command.AcquireAll acquireAll(Step step) {
        long wait = WAITS[step.b()];
        Command.AcquireAll all = new Command.AcquireAll(
                owner(step),
                names(step).stream()
                        .map(name -> new Want(name, terms(name, step)))
                        .toList(),
                request(step),
                TTLS[step.a()] * MILLI,
                wait < 0 ? Bounds.WAIT_FOREVER : wait * MILLI,
                "a" + step.who(),
                step.a() == 7);
        acquires.add(all);
        return all;
    }

    /** To any of the parties; now and then to the holder itself. */
    private Command.HandOff handOff(Step step) {
        return new Command.HandOff(
                owner(step),
                name(step),
                request(step),
                token(step),
                owner((step.who() + 1 + step.c()) % 5),
                TTLS[step.a()] * MILLI,
                "h" + step.who());
    }

    /** Of one of the holders; now and then of none. */
    private Command.Revoke revoke(Step step) {
        List<Claim> holders = naive.holders(name(step));
        long token = step.a() % 4 == 0 || holders.isEmpty()
                ? ledger.greatestToken() + 1
                : holders.get(step.b() % holders.size()).token;
        return new Command.Revoke(
                name(step),
                new FencingToken(token),
                new Request.Identified(new RequestId(1, ++requests), issuedAt(step)),
                step.c() < 4 ? 0 : PAUSES[step.c()] * MILLI,
                "r" + step.b() % 3,
                "");
    }

    /** Two of them, or all. */
    private static List<LockName> names(Step step) {
        List<LockName> names = new ArrayList<>(List.of(new LockName("n0"), new LockName("n1"), new LockName("n2")));
        if (step.c() % 3 != 0) {
            names.remove(step.name());
        }
        return names;
    }

    private Optional<Command.Once> lastAcquireOf(Step step) {
        return acquires.stream()
                .filter(it -> it.owner().equals(owner(step)) && concerns(it, name(step)))
                .reduce((one, other) -> other);
    }

    private static Command givingUp(Command.Once acquire) {
        return acquire instanceof Command.AcquireAll all
                ? new Command.GiveUpAll(
                        all.owner(), all.wants().stream().map(Want::name).toList(), all.request())
                : new Command.GiveUp(acquire.owner(), acquire.name(), acquire.request());
    }

    private static boolean concerns(Command.Once acquire, LockName name) {
        return acquire instanceof Command.AcquireAll all
                ? all.wants().stream().anyMatch(want -> want.name().equals(name))
                : acquire.name().equals(name);
    }

    private Command renew(Step step) {
        if (owner(step) instanceof Owner.OneShot one) {
            long ttl = step.b() < 6 ? 0 : TTLS[step.b()] * MILLI;
            return new Command.RenewHold(one, name(step), token(step), ttl);
        }
        return new Command.RenewSessions(List.of(session(step, false), new SessionId(9, step.b())));
    }

    /** None, the right one, or a wrong one. */
    private Optional<FencingToken> token(Step step) {
        Claim held = naive.held(name(step), owner(step));
        return switch (step.a() % 4) {
            case 0 -> Optional.of(new FencingToken(ledger.greatestToken() + 1));
            case 1 -> Optional.ofNullable(held).map(it -> new FencingToken(it.token));
            default -> Optional.empty();
        };
    }

    private Request request(Step step) {
        boolean numbered = owner(step) instanceof Owner.OfSession && step.b() % 3 != 0;
        if (!numbered) {
            return new Request.Identified(new RequestId(1, ++requests), issuedAt(step));
        }
        long number = numbers.merge(session(step, false), 1L, Long::sum);
        return new Request.Numbered(number, Math.max(0, number - 1 - step.a() % 4));
    }

    /** Mostly now, sometimes long ago: a request that was under way for long. */
    private long issuedAt(Step step) {
        return step.a() == 11 ? Math.max(0, now - 2_000 * MILLI) : step.a() == 10 && step.b() == 10 ? now + 1 : now;
    }

    private Owner owner(Step step) {
        return owner(step.who());
    }

    private Owner owner(int who) {
        return who < 3 ? new Owner.OneShot("o" + who) : new Owner.OfSession(new SessionId(who, generations[who]));
    }

    private SessionId session(Step step, boolean another) {
        int who = Math.max(3, step.who());
        if (another) {
            generations[who]++;
        }
        return new SessionId(who, generations[who]);
    }

    private static LockName name(Step step) {
        return new LockName("n" + step.name());
    }

    /** Some while, or exactly to the next deadline, or just short of it. */
    private long pause(Step step) {
        OptionalLong next = nextDeadline();
        if (step.b() < 4 || next.isEmpty()) {
            return PAUSES[step.a()] * MILLI;
        }
        long exactly = Math.max(0, next.getAsLong() - now);
        return step.b() < 8 ? exactly : Math.max(0, exactly - 1);
    }
}
