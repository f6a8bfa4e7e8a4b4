package io.holdfast.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A store that a test tells its story to: one command an entry, time passing as the test says. */
final class World {
    static final Duration FOREVER = Duration.ofNanos(Bounds.WAIT_FOREVER);

    final LockTable table;
    final SavedImages saved = new SavedImages();
    private final Limits limits;
    private final List<Duel.Entry> log = new ArrayList<>();
    private List<Event> events = List.of();
    private long index;
    private long nowNanos;
    private long requests;
    private long sessions;

    World() {
        this(Limits.DEFAULT);
    }

    World(Limits limits) {
        this(limits, new LockTable(limits));
    }

    private World(Limits limits, LockTable table) {
        this.limits = limits;
        this.table = table;
    }

    /** An acquire, as its client keeps it to send again. */
    final class Ask {
        final Command.Acquire command;
        Outcome answer;

        Ask(Command.Acquire command) {
            this.command = command;
            this.answer = run(command);
        }

        Outcome again() {
            answer = run(command);
            return answer;
        }

        Outcome stands() {
            return table.standing(command);
        }

        HoldView hold() {
            return ((Outcome.Granted) stands()).hold();
        }

        long token() {
            return hold().token().value();
        }

        /** Of its grant, which may be over by now. */
        long grantedToken() {
            return stands() instanceof Outcome.Ended ended
                    ? ended.token().orElseThrow().value()
                    : token();
        }

        boolean holds() {
            return stands() instanceof Outcome.Granted;
        }

        boolean waits() {
            return stands() instanceof Outcome.Queued;
        }

        Outcome giveUp() {
            return run(new Command.GiveUp(command.owner(), command.name(), command.request()));
        }
    }

    /** The client of a session: counts its requests, and says which answers it has seen when the test lets it. */
    final class Client {
        final SessionId id = new SessionId(7, ++sessions);
        final Owner owner = new Owner.OfSession(id);
        final Outcome opened;
        long seenUpTo;
        private long number;

        Client(Duration ttl) {
            opened = run(new Command.OpenSession(id, nowNanos, ttl.toNanos(), "client " + id.low()));
        }

        Ask tries(String name) {
            return asks(name, Duration.ZERO);
        }

        Ask waits(String name) {
            return asks(name, FOREVER);
        }

        Ask asks(String name, Duration wait) {
            return asks(name, wait, Terms.PLAIN);
        }

        Ask asks(String name, Duration wait, Terms terms) {
            return new Ask(new Command.Acquire(owner, new LockName(name), request(), 0, wait.toNanos(), "", terms));
        }

        Command.Release releasing(String name) {
            return new Command.Release(owner, new LockName(name), request(), Optional.empty());
        }

        Outcome release(String name) {
            return run(releasing(name));
        }

        Outcome renew() {
            return run(new Command.RenewSessions(List.of(id)));
        }

        Outcome close() {
            return run(new Command.CloseSession(id));
        }

        boolean lives() {
            return table.session(id).isPresent();
        }

        Request request() {
            return new Request.Numbered(++number, seenUpTo);
        }
    }

    Client session(Duration ttl) {
        return new Client(ttl);
    }

    Ask tries(String name, String owner, Duration ttl) {
        return asks(name, owner, ttl, Duration.ZERO);
    }

    Ask waits(String name, String owner, Duration ttl) {
        return asks(name, owner, ttl, FOREVER);
    }

    Ask asks(String name, String owner, Duration ttl, Duration wait) {
        return new Ask(asking(name, owner, ttl, wait));
    }

    /** Tries to share. */
    Ask shares(String name, String owner, Duration ttl) {
        return new Ask(asking(name, owner, ttl, Duration.ZERO, Terms.SHARED));
    }

    /** Waits to share. */
    Ask waitsToShare(String name, String owner, Duration ttl) {
        return new Ask(asking(name, owner, ttl, FOREVER, Terms.SHARED));
    }

    /** Tries on any terms. */
    Ask triesOn(Terms terms, String name, String owner, Duration ttl) {
        return new Ask(asking(name, owner, ttl, Duration.ZERO, terms));
    }

    /** Waits on any terms. */
    Ask waitsOn(Terms terms, String name, String owner, Duration ttl) {
        return new Ask(asking(name, owner, ttl, FOREVER, terms));
    }

    Command.Proclaim proclaiming(String name, String owner, String value) {
        return new Command.Proclaim(new Owner.OneShot(owner), new LockName(name), request(), Optional.empty(), value);
    }

    Command.HandOff handingOff(String name, String owner, String to, Duration ttl) {
        return handingOff(name, new Owner.OneShot(owner), new Owner.OneShot(to), ttl);
    }

    Command.HandOff handingOff(String name, Owner owner, Owner to, Duration ttl) {
        return new Command.HandOff(owner, new LockName(name), request(), Optional.empty(), to, ttl.toNanos(), "");
    }

    Command.Revoke revoking(String name, long token, Duration grace) {
        return new Command.Revoke(
                new LockName(name),
                new FencingToken(token),
                (Request.Identified) request(),
                grace.toNanos(),
                "to be rebooted",
                "alice");
    }

    TokenCheck check(String name, long token) {
        return table.check(new LockName(name), new FencingToken(token));
    }

    /** An acquire of a set, all on plain terms. */
    Command.AcquireAll askingAll(String owner, Duration ttl, Duration wait, String... names) {
        return new Command.AcquireAll(
                new Owner.OneShot(owner),
                Stream.of(names)
                        .map(name -> new Want(new LockName(name), Terms.PLAIN))
                        .toList(),
                request(),
                ttl.toNanos(),
                wait.toNanos(),
                "");
    }

    Command.ReleaseAll releasingAll(String owner, String... names) {
        return new Command.ReleaseAll(
                new Owner.OneShot(owner), Stream.of(names).map(LockName::new).toList(), request(), Optional.empty());
    }

    /** Tries to take permits of a semaphore. */
    Ask takes(String name, String owner, int permits, int capacity, Duration ttl) {
        return new Ask(asking(name, owner, ttl, Duration.ZERO, new Terms(new Mode.Permits(permits, capacity))));
    }

    /** Waits for permits of a semaphore. */
    Ask waitsToTake(String name, String owner, int permits, int capacity, Duration ttl) {
        return new Ask(asking(name, owner, ttl, FOREVER, new Terms(new Mode.Permits(permits, capacity))));
    }

    /** Gives some permits back. */
    Command.Release returning(String name, String owner, int permits) {
        return new Command.Release(new Owner.OneShot(owner), new LockName(name), request(), Optional.empty(), permits);
    }

    /** An acquire that is not sent yet. */
    Command.Acquire asking(String name, String owner, Duration ttl, Duration wait) {
        return asking(name, owner, ttl, wait, Terms.PLAIN);
    }

    Command.Acquire asking(String name, String owner, Duration ttl, Duration wait, Terms terms) {
        return new Command.Acquire(
                new Owner.OneShot(owner), new LockName(name), request(), ttl.toNanos(), wait.toNanos(), "", terms);
    }

    Command.Convert converting(String name, String owner, Mode mode) {
        return new Command.Convert(new Owner.OneShot(owner), new LockName(name), request(), Optional.empty(), mode);
    }

    Outcome convert(String name, String owner, Mode mode) {
        return run(converting(name, owner, mode));
    }

    Command.Release releasing(String name, String owner) {
        return new Command.Release(new Owner.OneShot(owner), new LockName(name), request(), Optional.empty());
    }

    Outcome release(String name, String owner) {
        return run(releasing(name, owner));
    }

    Outcome release(String name, String owner, long token) {
        return run(new Command.Release(
                new Owner.OneShot(owner), new LockName(name), request(), Optional.of(new FencingToken(token))));
    }

    Outcome renew(String name, String owner) {
        return renew(name, owner, Duration.ZERO);
    }

    /** Renews with another TTL; zero keeps the one there is. */
    Outcome renew(String name, String owner, Duration ttl) {
        return run(
                new Command.RenewHold(new Owner.OneShot(owner), new LockName(name), Optional.empty(), ttl.toNanos()));
    }

    void pass(Duration duration) {
        nowNanos += duration.toNanos();
        tick();
    }

    Applied tick() {
        return runTogether(List.of());
    }

    /** Time passes without a tick, as it does without a leader or between two entries. */
    void passUnnoticed(Duration duration) {
        nowNanos += duration.toNanos();
    }

    Outcome run(Command command) {
        return runTogether(List.of(command)).outcomes().get(0);
    }

    Applied runTogether(List<Command> commands) {
        Position position = new Position(++index, nowNanos);
        log.add(new Duel.Entry(position, commands));
        Applied applied = table.apply(position, commands);
        events = applied.events();
        return applied;
    }

    /** {@return what the last entry changed} */
    List<Event> events() {
        return events;
    }

    /** {@return all commands so far, in the order of the log} */
    List<Command> sent() {
        return log.stream().flatMap(entry -> entry.commands().stream()).toList();
    }

    /** {@return a world that has seen the same log, as a node has that was started again} */
    World restarted() {
        World other = like(new LockTable(limits));
        log.forEach(entry -> other.table.apply(entry.position(), entry.commands()));
        return other;
    }

    /** Brings the snapshot up to date. */
    Changes save() {
        Changes changes = table.takeChanges();
        saved.write(changes);
        return changes;
    }

    /** {@return a world that goes on from a snapshot of this one, as a node has that was started again after one} */
    World restored() {
        save();
        World other = like(saved.restore(limits));
        other.saved.records.putAll(saved.records);
        return other;
    }

    private World like(LockTable itsTable) {
        World other = new World(limits, itsTable);
        other.log.addAll(log);
        other.index = index;
        other.nowNanos = nowNanos;
        other.requests = requests;
        other.sessions = sessions;
        return other;
    }

    Optional<LockView> lock(String name) {
        return table.lock(new LockName(name), 100);
    }

    /** {@return those who wait for the lock, in queue order} */
    List<String> queue(String name) {
        return lock(name).stream()
                .flatMap(lock -> lock.waiters().stream())
                .map(waiter -> waiter.owner().toString())
                .toList();
    }

    /** {@return a store of the newest feature level} */
    static World raised() {
        return raised(Limits.DEFAULT);
    }

    static World raised(Limits limits) {
        World world = new World(limits);
        world.run(new Command.RaiseFeatureLevel(LockTable.NEWEST_FEATURE_LEVEL));
        return world;
    }

    /** {@return who holds the lock, in order of tokens} */
    List<String> holders(String name) {
        return lock(name).stream()
                .flatMap(lock -> lock.holders().stream())
                .map(hold -> hold.owner().toString())
                .toList();
    }

    /** {@return who holds the lock, if anyone} */
    Optional<String> holder(String name) {
        return lock(name).map(lock -> lock.holders().get(0).owner().toString());
    }

    boolean isEmpty() {
        return table.locks("", "", 1, 0).isEmpty()
                && table.leaseCount() == 0
                && table.nextDeadlineNanos().isEmpty();
    }

    long index() {
        return index;
    }

    Request request() {
        return new Request.Identified(new RequestId(0, ++requests), nowNanos);
    }
}
