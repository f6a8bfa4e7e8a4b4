package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * While its feature level is 1 a store does what the first version of Holdfast does, digest and all: members of both share one log during a rolling upgrade, and logs of the first version are replayed.
 *
 * <p>The fingerprints were taken from the first version. They are never changed.
 */
class FirstVersionTest {
    private static final long MILLI = 1_000_000;
    private static final long[] TTLS = {100, 100, 200, 300, 500, 700, 1_000, 3_000};
    private static final long[] WAITS = {0, 50, 100, 300, 1_000, 5_000, -1, -1};
    private static final long[] PAUSES = {0, 0, 1, 10, 50, 99, 100, 250, 500, 1_000, 61_000};

    private long seed;
    private long now;
    private long ids;
    private final long[] numbers = new long[5];
    private final int[] generations = new int[5];
    private final List<Command> sent = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "1, DEFAULT, e4e9243535936952",
        "2, DEFAULT, 042dac85a8fecff0",
        "3, TIGHT, a03de1f013f3cbd2",
        "4, TIGHT, 636f0aceeaa56fa9"
    })
    void a_store_of_feature_level_1_goes_on_as_the_first_version_did(long firstSeed, String limits, String expected) {
        seed = firstSeed;
        LockTable table = new LockTable(limits.equals("TIGHT") ? LockTableProperties.TIGHT : Limits.DEFAULT);
        Digest fingerprint = new Digest();
        for (int i = 1; i <= 20_000; i++) {
            now += PAUSES[next(PAUSES.length)] * MILLI;
            List<Command> commands = new ArrayList<>();
            for (int j = next(4); j > 0; j--) {
                commands.add(command());
            }
            sent.addAll(commands);
            Applied applied = table.apply(new Position(i * 2L, now), commands);
            applied.outcomes().forEach(outcome -> add(fingerprint, outcome));
            applied.events().forEach(event -> add(fingerprint, event));
            fingerprint.add(table.digest()).add(table.changeCount());
            if (i % 50 == 0) {
                fingerprint.add(table.takeChanges().gone().size());
            }
        }
        assertThat(Hex.of(fingerprint.value())).isEqualTo(expected);
    }

    private static void add(Digest digest, Outcome outcome) {
        digest.add(outcome.getClass().getSimpleName());
        switch (outcome) {
            case Outcome.Granted it -> add(digest, it.hold());
            case Outcome.Renewed it -> add(digest, it.hold());
            case Outcome.Ended it ->
                digest.add(it.how().name())
                        .add(it.token().map(FencingToken::value).orElse(0L));
            case Outcome.Released it -> digest.add(it.token().value());
            case Outcome.NotHeld it -> it.holder().ifPresent(hold -> add(digest, hold));
            case Outcome.Held it -> it.holder().ifPresent(hold -> add(digest, hold));
            case Outcome.OwnerBusy it -> it.holder().ifPresent(hold -> add(digest, hold));
            case Outcome.SessionsRenewed it -> digest.add(it.gone().size());
            case Outcome.LimitReached it -> digest.add(it.what()).add(it.limit());
            default -> {
                // Its kind says it all.
            }
        }
    }

    private static void add(Digest digest, HoldView hold) {
        digest.add(hold.owner()).add(hold.token().value()).add(hold.logIndex());
        digest.add(hold.ttlNanos()).add(hold.heldNanos()).add(hold.remainingNanos());
    }

    private static void add(Digest digest, Event event) {
        digest.add(event.getClass().getSimpleName());
        switch (event) {
            case Event.Acquired it -> digest.add(it.owner()).add(it.token().value());
            case Event.HoldEnded it -> digest.add(it.owner()).add(it.how().name());
            case Event.Queued it -> digest.add(it.owner());
            case Event.LeftQueue it -> digest.add(it.owner()).add(it.how().name());
            case Event.SessionOpened it -> digest.add(it.session());
            case Event.SessionEnded it -> digest.add(it.session()).add(it.how().name());
            default -> throw new AssertionError("not in the first version: " + event);
        }
    }

    private Command command() {
        int who = next(5);
        Owner owner = who < 3 ? new Owner.OneShot("o" + who) : new Owner.OfSession(session(who));
        LockName name = new LockName("n" + next(3));
        return switch (next(12)) {
            case 0, 1, 2, 3 -> {
                long wait = WAITS[next(WAITS.length)];
                yield new Command.Acquire(
                        owner, name, request(who), ttl(), wait < 0 ? Bounds.WAIT_FOREVER : wait * MILLI, "w" + who);
            }
            case 4, 5 -> new Command.Release(owner, name, request(who), Optional.empty());
            case 6 ->
                owner instanceof Owner.OneShot one
                        ? new Command.RenewHold(one, name, Optional.empty(), next(2) == 0 ? 0 : ttl())
                        : new Command.RenewSessions(List.of(session(3), session(4)));
            case 7 -> new Command.OpenSession(session(3 + next(2)), now, ttl(), "s");
            case 8 -> {
                int ending = 3 + next(2);
                SessionId id = session(ending);
                generations[ending] += next(2);
                yield new Command.CloseSession(id);
            }
            case 9 -> new Command.GiveUp(owner, name, request(who));
            default ->
                sent.isEmpty()
                        ? new Command.RenewSessions(List.of())
                        : again(sent.get(sent.size() - 1 - next(Math.min(40, sent.size()))));
        };
    }

    /** Itself, or the giving up of it. */
    private Command again(Command command) {
        return command instanceof Command.Acquire acquire && next(3) == 0
                ? new Command.GiveUp(acquire.owner(), acquire.name(), acquire.request())
                : command;
    }

    private Request request(int who) {
        if (who < 3 || next(3) == 0) {
            return new Request.Identified(new RequestId(1, ++ids), now);
        }
        long number = ++numbers[who];
        return new Request.Numbered(number, Math.max(0, number - 1 - next(4)));
    }

    private SessionId session(int who) {
        return new SessionId(who, generations[who]);
    }

    private long ttl() {
        return TTLS[next(TTLS.length)] * MILLI;
    }

    /** The same numbers in every run of every version: Knuth's MMIX generator, its upper bits. */
    private int next(int bound) {
        seed = seed * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        return (int) ((seed >>> 33) % bound);
    }
}
