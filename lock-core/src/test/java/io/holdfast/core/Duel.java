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
import java.util.stream.Stream;

/** The lock table and the naive service side by side: fed the same entries, compared after each, the invariants checked on both. */
final class Duel {
    private static final long MILLI = 1_000_000;
    private static final long[] TTLS = {100, 100, 200, 300, 500, 700, 1_000, 3_000, 150, 100, 400, 2_000};
    private static final long[] WAITS = {0, 0, 50, 100, 150, 300, 1_000, 5_000, -1, -1, 250, 700};
    private static final long[] PAUSES = {1, 10, 40, 50, 99, 100, 101, 250, 500, 1_000, 1_500, 61_000};

    private final LockTable table;
    private final LockTable replay;
    private final NaiveLockService naive;
    private final List<Command> sent = new ArrayList<>();
    private final List<Command.Acquire> acquires = new ArrayList<>();
    private final Map<SessionId, Long> numbers = new HashMap<>();
    private final int[] generations = new int[5];
    private final List<String> story = new ArrayList<>();
    private final Set<Long> tokens = new HashSet<>();
    private final List<Command> entry = new ArrayList<>();
    private final Limits limits;
    private long greatestToken;
    private long index;
    private long now;
    private long requests;

    Duel(Limits limits) {
        this.limits = limits;
        table = new LockTable(limits);
        replay = new LockTable(limits);
        naive = new NaiveLockService(limits);
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
        List<Long> unsweptBefore = dueDeadlines();
        Applied got = table.apply(position, commands);
        story.add("    -> " + got.outcomes() + " " + got.events());
        assertThat(got).isEqualTo(naive.apply(position, commands));
        assertThat(replay.apply(position, commands)).isEqualTo(got);
        compare();
        checkTokens(got);
        checkExpiry(unsweptBefore);
        checkStandings();
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
        assertThat(replay.digest()).isEqualTo(table.digest());
        // I7: nothing but bounded memories is left of names that nobody holds or waits for.
        if (naive.claims.isEmpty()) {
            assertThat(table.locks("", "", 1, 0)).isEmpty();
        }
        assertThat(naive.rememberedRequests()).isLessThanOrEqualTo(limits.finishedRequests());
    }

    /** I1, I2: one holder a name; tokens unique, growing in the order of grants, made from the granting index. */
    private void checkTokens(Applied applied) {
        for (Event event : applied.events()) {
            if (event instanceof Event.Acquired acquired) {
                long token = acquired.token().value();
                assertThat(token).isGreaterThan(greatestToken).isPositive();
                assertThat(token / FencingToken.PER_ENTRY).isEqualTo(index);
                assertThat(tokens.add(token)).isTrue();
                greatestToken = token;
            }
        }
        for (LockView lock : table.locks("", "", Integer.MAX_VALUE, Integer.MAX_VALUE)) {
            assertThat(lock.holders()).hasSize(1);
            assertThat(lock.holders().get(0).logIndex())
                    .isEqualTo(lock.holders().get(0).token().value() / FencingToken.PER_ENTRY);
        }
    }

    /** I4: an entry ends all that is due, or a whole batch of it. */
    private void checkExpiry(List<Long> dueBefore) {
        int left = dueDeadlines().size();
        int most = Math.max(0, dueBefore.size() - limits.expiryBatch());
        assertThat(left).isLessThanOrEqualTo(most);
    }

    private List<Long> dueDeadlines() {
        return Stream.concat(
                        naive.promises.stream().map(it -> it.deadline),
                        naive.claims.stream().filter(it -> !it.isHeld()).map(it -> it.waitDeadline))
                .filter(it -> it <= now)
                .toList();
    }

    /** Looking how an acquire stands changes nothing. */
    private void checkStandings() {
        String before = table.digest();
        acquires.forEach(table::standing);
        assertThat(table.digest()).isEqualTo(before);
    }

    private OptionalLong nextDeadline() {
        return Stream.concat(
                        naive.promises.stream().map(it -> it.deadline),
                        naive.claims.stream().filter(it -> !it.isHeld()).map(it -> it.waitDeadline))
                .filter(it -> it != Long.MAX_VALUE)
                .mapToLong(it -> it)
                .min();
    }

    // ---- from choices to commands

    private Optional<Command> command(Step step) {
        return switch (step.kind()) {
            case ACQUIRE -> Optional.of(acquire(step));
            case ASK_AGAIN -> lastAcquireOf(step).map(it -> it);
            case GIVE_UP -> lastAcquireOf(step).map(it -> new Command.GiveUp(it.owner(), it.name(), it.request()));
            case RELEASE -> Optional.of(new Command.Release(owner(step), name(step), request(step), token(step)));
            case RENEW -> Optional.of(renew(step));
            case OPEN ->
                Optional.of(new Command.OpenSession(
                        session(step, step.b() < 3), issuedAt(step), TTLS[step.a()] * MILLI, "s" + step.who()));
            case CLOSE -> Optional.of(new Command.CloseSession(session(step, false)));
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
                "w" + step.who());
        acquires.add(acquire);
        return acquire;
    }

    private Optional<Command.Acquire> lastAcquireOf(Step step) {
        return acquires.stream()
                .filter(it -> it.owner().equals(owner(step)) && it.name().equals(name(step)))
                .reduce((one, other) -> other);
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
        Claim held = naive.held(name(step));
        return switch (step.a() % 4) {
            case 0 -> Optional.of(new FencingToken(greatestToken + 1));
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
        return step.who() < 3 ? new Owner.OneShot("o" + step.who()) : new Owner.OfSession(session(step, false));
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
