package io.holdfast.server.proposer;

import io.holdfast.core.Command;
import io.holdfast.core.Limits;
import io.holdfast.core.LockName;
import io.holdfast.core.LockTable;
import io.holdfast.core.Outcome;
import io.holdfast.core.Owner;
import io.holdfast.core.Position;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.core.Terms;
import io.holdfast.core.Want;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.statemachine.codec.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A proposer on a bench: the real one, and the real lock table, with a log, a clock and a timer that the test moves by hand. One thread. */
final class Bench implements EntryLog, Replica {
    static final ProposerConfig CONFIG = new ProposerConfig(
            Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(600), 4, 1_000, 6);

    private record Planned(long atNanos, Runnable action) {}

    final LockTable table = new LockTable(Limits.DEFAULT);
    final List<Entry> log = new ArrayList<>();
    final List<CompletableFuture<Fate>> fates = new ArrayList<>();
    final Proposer proposer;
    private final List<Planned> timers = new ArrayList<>();
    private long now = 5_000_000_000L;
    private long lastIndex;
    private long lastRequest;

    Bench() {
        this(CONFIG);
    }

    Bench(ProposerConfig config) {
        proposer = new Proposer(config, this, this, () -> now, 100, Runnable::run, this::plan);
    }

    /** A bench whose proposer leads, with the grace behind it. */
    static Bench leading() {
        Bench bench = new Bench();
        bench.lead();
        bench.pass(CONFIG.failoverGrace());
        return bench;
    }

    void lead() {
        proposer.onLeaderReady(1, table);
    }

    @Override
    public CompletableFuture<Fate> append(Entry entry) {
        log.add(entry);
        fates.add(new CompletableFuture<>());
        return fates.get(fates.size() - 1);
    }

    @Override
    public <T> T read(Function<LockTable, T> query) {
        return query.apply(table);
    }

    @Override
    public OptionalLong ageMillis() {
        return OptionalLong.empty();
    }

    /** Time passes; timers run, the proposer does what is due. */
    void pass(Duration duration) {
        now += duration.toNanos();
        List<Planned> due = timers.stream().filter(it -> it.atNanos <= now).toList();
        timers.removeAll(due);
        due.forEach(it -> it.action.run());
        settle();
    }

    /** The proposer runs until it has nothing to do. */
    long settle() {
        long wait = proposer.step();
        while (wait == 0) {
            wait = proposer.step();
        }
        return wait;
    }

    /** The last entry is committed and applied; the proposer goes on. */
    void commit() {
        apply(log.get(log.size() - 1));
        fates.get(fates.size() - 1).complete(Fate.COMMITTED);
        settle();
    }

    void apply(Entry entry) {
        lastIndex += 3; // indexes have gaps
        proposer.onApplied(
                entry, table.apply(new Position(lastIndex, entry.leaseTimeNanos()), entry.commands()), table);
    }

    Entry lastEntry() {
        return log.get(log.size() - 1);
    }

    private Runnable plan(Duration delay, Runnable action) {
        Planned planned = new Planned(now + delay.toNanos(), action);
        timers.add(planned);
        return () -> timers.remove(planned);
    }

    int timersPlanned() {
        return timers.size();
    }

    Command.Acquire acquire(String name, String owner, Duration ttl, Duration wait) {
        return new Command.Acquire(
                new Owner.OneShot(owner), new LockName(name), request(), ttl.toNanos(), wait.toNanos(), "");
    }

    Command.AcquireAll acquireAll(String owner, Duration ttl, Duration wait, String... names) {
        List<Want> wants = Arrays.stream(names)
                .map(name -> new Want(new LockName(name), Terms.PLAIN))
                .toList();
        return new Command.AcquireAll(new Owner.OneShot(owner), wants, request(), ttl.toNanos(), wait.toNanos(), "");
    }

    Command.Release release(String name, String owner) {
        return new Command.Release(new Owner.OneShot(owner), new LockName(name), request(), Optional.empty());
    }

    Command.RenewHold renew(String name, String owner) {
        return new Command.RenewHold(new Owner.OneShot(owner), new LockName(name), Optional.empty(), 0);
    }

    private Request request() {
        return new Request.Identified(new RequestId(7, ++lastRequest), table.clockNanos());
    }

    CompletableFuture<Answer<Outcome>> submit(Command command) {
        return proposer.submit(command).toCompletableFuture();
    }

    CompletableFuture<Answer<Outcome>> ask(Command.Once acquire, Duration block) {
        return proposer.ask(acquire, block).toCompletableFuture();
    }

    /** Holds the lock, committed. */
    void hold(String name, String owner, Duration ttl) {
        var held = submit(acquire(name, owner, ttl, Duration.ZERO));
        settle();
        commit();
        if (!(held.join().value() instanceof Outcome.Granted)) {
            throw new AssertionError(held.join());
        }
    }

    /** Hands a command over and leaves its answer to the table to show. */
    void send(Command command) {
        var unused = submit(command);
    }

    static Unanswered failureOf(CompletableFuture<?> future) {
        return (Unanswered) future.exceptionNow();
    }
}
