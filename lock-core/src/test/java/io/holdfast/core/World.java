package io.holdfast.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A store that a test tells its story to: one command an entry, time passing as the test says. */
final class World {
    final LockTable table;
    private long index;
    private long nowNanos;
    private long requests;

    World() {
        this(Limits.DEFAULT);
    }

    World(Limits limits) {
        table = new LockTable(limits);
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

        long token() {
            return ((Outcome.Granted) stands()).hold().token().value();
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

    Ask tries(String name, String owner, Duration ttl) {
        return asks(name, owner, ttl, Duration.ZERO);
    }

    Ask waits(String name, String owner, Duration ttl) {
        return asks(name, owner, ttl, Duration.ofNanos(Bounds.WAIT_FOREVER));
    }

    Ask asks(String name, String owner, Duration ttl, Duration wait) {
        return new Ask(new Command.Acquire(
                new Owner.OneShot(owner), new LockName(name), request(), ttl.toNanos(), wait.toNanos(), ""));
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
        return run(new Command.RenewHold(new Owner.OneShot(owner), new LockName(name), Optional.empty(), 0));
    }

    void pass(Duration duration) {
        nowNanos += duration.toNanos();
        tick();
    }

    Applied tick() {
        return table.apply(new Position(++index, nowNanos), List.of());
    }

    /** Time passes without a tick, as it does without a leader or between two entries. */
    void passUnnoticed(Duration duration) {
        nowNanos += duration.toNanos();
    }

    Outcome run(Command command) {
        return table.apply(new Position(++index, nowNanos), List.of(command))
                .outcomes()
                .get(0);
    }

    Applied runTogether(List<Command> commands) {
        return table.apply(new Position(++index, nowNanos), commands);
    }

    Optional<LockView> lock(String name) {
        return table.lock(new LockName(name), 100);
    }

    boolean isEmpty() {
        return table.locks("", "", 1, 0).isEmpty() && table.leaseCount() == 0;
    }

    long index() {
        return index;
    }

    private Request request() {
        return new Request.Identified(new RequestId(0, ++requests), nowNanos);
    }
}
