package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes commands that differ from a given one in a single thing. */
final class Variation {
    private static final long MILLI = 1_000_000;
    private static final LockName ELSEWHERE = new LockName("elsewhere");
    private static final Owner.OneShot SOMEBODY = new Owner.OneShot("somebody");

    private Variation() {}

    /**
     * Varies a command.
     *
     * @param which chooses the thing that differs
     */
    static Optional<Command> of(Command command, int which) {
        return switch (command) {
            case Command.Acquire it -> Optional.of(acquire(it, which % 10));
            case Command.GiveUp it ->
                switch (which % 4) {
                    case 0 -> Optional.empty();
                    case 1 -> Optional.of(new Command.GiveUp(it.owner(), ELSEWHERE, it.request()));
                    case 2 -> Optional.of(new Command.GiveUp(it.owner(), it.name(), other(it.request())));
                    default -> Optional.of(new Command.Release(it.owner(), it.name(), it.request(), Optional.empty()));
                };
            case Command.Release it ->
                switch (which % 5) {
                    case 0 -> Optional.empty();
                    case 1 ->
                        Optional.of(new Command.Release(it.owner(), ELSEWHERE, it.request(), it.token(), it.permits()));
                    case 2 ->
                        Optional.of(new Command.Release(
                                it.owner(), it.name(), other(it.request()), it.token(), it.permits()));
                    case 3 ->
                        Optional.of(new Command.Release(
                                it.owner(), it.name(), it.request(), it.token(), (it.permits() + 1) % 4));
                    default -> Optional.of(new Command.GiveUp(it.owner(), it.name(), it.request()));
                };
            case Command.Convert it -> convert(it, which % 3);
            case Command.AcquireAll it -> Optional.of(acquireAll(it, which % 4));
            case Command.HandOff it -> handOff(it, which % 4);
            case Command.Revoke it -> revoke(it, which % 4);
            case Command.Proclaim it ->
                Optional.of(new Command.Proclaim(it.owner(), it.name(), it.request(), it.token(), it.value() + "'"));
            case Command.GiveUpAll it -> ofSet(it, which % 2);
            case Command.ReleaseAll it -> ofSet(it, which % 2);
            case Command.RenewHold it ->
                which % 2 == 0
                        ? Optional.empty()
                        : Optional.of(
                                new Command.RenewHold(it.owner(), it.name(), it.token(), it.ttlNanos() + 100 * MILLI));
            case Command.OpenSession it -> Optional.of(open(it, which % 3));
            case Command.CloseSession it ->
                which % 2 == 0 ? Optional.empty() : Optional.of(new Command.RenewSessions(List.of(it.session())));
            case Command.RenewSessions it -> Optional.empty();
            case Command.RaiseFeatureLevel it ->
                which % 2 == 0 ? Optional.empty() : Optional.of(new Command.RaiseFeatureLevel(it.level() + 1));
        };
    }

    private static Command open(Command.OpenSession it, int which) {
        return switch (which) {
            case 0 ->
                new Command.OpenSession(
                        new SessionId(99, 99), it.issuedAtNanos(), it.ttlNanos(), it.label(), it.metadata());
            case 1 ->
                new Command.OpenSession(
                        it.session(), it.issuedAtNanos(), it.ttlNanos() + MILLI, it.label(), it.metadata());
            default ->
                new Command.OpenSession(
                        it.session(), it.issuedAtNanos(), it.ttlNanos(), it.label() + "'", it.metadata() + "'");
        };
    }

    private static Optional<Command> handOff(Command.HandOff it, int which) {
        return switch (which) {
            case 0 -> Optional.empty();
            case 1 ->
                Optional.of(new Command.HandOff(
                        it.owner(), it.name(), it.request(), it.token(), SOMEBODY, it.ttlNanos(), it.label()));
            case 2 ->
                Optional.of(new Command.HandOff(
                        it.owner(), it.name(), it.request(), it.token(), it.to(), it.ttlNanos() + MILLI, it.label()));
            default ->
                Optional.of(new Command.HandOff(
                        it.owner(), it.name(), it.request(), it.token(), it.to(), it.ttlNanos(), it.label() + "'"));
        };
    }

    private static Optional<Command> revoke(Command.Revoke it, int which) {
        return switch (which) {
            case 0 -> Optional.empty();
            case 1 ->
                Optional.of(new Command.Revoke(
                        it.name(), it.token(), it.request(), it.graceNanos() + MILLI, it.reason(), it.by()));
            case 2 ->
                Optional.of(new Command.Revoke(
                        it.name(), it.token(), it.request(), it.graceNanos(), it.reason() + "'", it.by()));
            default ->
                Optional.of(new Command.Revoke(
                        it.name(), it.token(), it.request(), it.graceNanos(), it.reason(), it.by() + "'"));
        };
    }

    private static Optional<Command> convert(Command.Convert it, int which) {
        return switch (which) {
            case 0 -> Optional.empty();
            case 1 ->
                Optional.of(new Command.Convert(it.owner(), it.name(), other(it.request()), it.token(), it.mode()));
            default ->
                Optional.of(new Command.Convert(it.owner(), it.name(), it.request(), it.token(), other(it.mode())));
        };
    }

    private static Optional<Command> ofSet(Command.Once command, int which) {
        if (which == 0) {
            return Optional.empty();
        }
        List<LockName> one = List.of(command.name());
        return Optional.of(
                command instanceof Command.ReleaseAll it
                        ? new Command.ReleaseAll(it.owner(), one, it.request(), it.token())
                        : new Command.GiveUpAll(command.owner(), one, command.request()));
    }

    private static Command acquireAll(Command.AcquireAll it, int which) {
        List<Want> wants = new ArrayList<>(it.wants());
        Want first = wants.remove(0);
        switch (which) {
            case 0 -> wants.add(new Want(ELSEWHERE, first.terms()));
            case 1 ->
                wants.add(new Want(
                        first.name(), first.terms().withMode(other(first.terms().mode()))));
            default -> wants.add(first);
        }
        Request request = which == 2 ? other(it.request()) : it.request();
        long ttl = which == 3 ? it.ttlNanos() + MILLI : it.ttlNanos();
        return new Command.AcquireAll(it.owner(), wants, request, ttl, it.waitNanos(), it.label(), it.allowDeadlock());
    }

    private static Command acquire(Command.Acquire it, int which) {
        long longer = it.waitNanos() == Bounds.WAIT_FOREVER ? MILLI : it.waitNanos() + MILLI;
        return switch (which) {
            case 0 -> like(it, SOMEBODY, it.name(), it.request(), it.ttlNanos(), it.waitNanos());
            case 1 -> like(it, it.owner(), ELSEWHERE, it.request(), it.ttlNanos(), it.waitNanos());
            case 2 -> like(it, it.owner(), it.name(), other(it.request()), it.ttlNanos(), it.waitNanos());
            case 3 -> like(it, it.owner(), it.name(), it.request(), it.ttlNanos() + MILLI, it.waitNanos());
            case 4 -> like(it, it.owner(), it.name(), it.request(), it.ttlNanos(), longer);
            case 5 -> like(it, it.label() + "'", it.terms());
            case 6 -> like(it, it.label(), it.terms().withMode(other(it.terms().mode())));
            case 7 -> like(it, it.label(), it.terms().withValue(it.terms().value() + "'"));
            case 8 ->
                like(it, it.label(), new Terms(it.terms().mode(), it.terms().value(), 50 * MILLI));
            default -> new Command.GiveUp(it.owner(), it.name(), it.request());
        };
    }

    private static Command like(
            Command.Acquire it, Owner owner, LockName name, Request request, long ttlNanos, long waitNanos) {
        return new Command.Acquire(
                owner, name, request, ttlNanos, waitNanos, it.label(), it.terms(), it.allowDeadlock());
    }

    private static Command like(Command.Acquire it, String label, Terms terms) {
        return new Command.Acquire(
                it.owner(), it.name(), it.request(), it.ttlNanos(), it.waitNanos(), label, terms, it.allowDeadlock());
    }

    private static Mode other(Mode mode) {
        return switch (mode) {
            case Mode.Exclusive it -> Mode.SHARED;
            case Mode.Shared it -> Mode.EXCLUSIVE;
            case Mode.Permits it -> new Mode.Permits(1 + it.permits() % it.capacity(), it.capacity());
        };
    }

    private static Request other(Request request) {
        return switch (request) {
            case Request.Identified it ->
                new Request.Identified(new RequestId(it.id().high(), it.id().low() + 1_000), it.issuedAtNanos());
            case Request.Numbered it ->
                it.seenUpTo() + 1 < it.number()
                        ? new Request.Numbered(it.number(), it.seenUpTo() + 1)
                        : new Request.Numbered(it.number() + 1, it.seenUpTo());
        };
    }
}
