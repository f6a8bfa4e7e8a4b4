package io.holdfast.server.grpc;

import io.holdfast.core.Command;
import io.holdfast.core.LockName;
import io.holdfast.core.Want;
import io.holdfast.v1.AcquireAllRequest;
import io.holdfast.v1.GiveUpAllRequest;
import io.holdfast.v1.ReleaseAllRequest;
import java.util.List;

/** Requests about several locks at once, as commands of the core; as {@link Commands} does it. */
final class SetCommands {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Commands commands;

    SetCommands(Commands commands) {
        this.commands = commands;
    }

    static void check(AcquireAllRequest request) {
        Checks checks = new Checks();
        checks.owner(request.getOwner());
        checks.wants(request.getWantsList());
        checks.ask(
                request.getOwner(),
                request.getTag(),
                request.getTtlMs(),
                request.getWaitMs(),
                request.getOwnerLabel(),
                request.getBlockMs());
        checks.done();
    }

    Command.AcquireAll acquire(AcquireAllRequest request) {
        return new Command.AcquireAll(
                Commands.owner(request.getOwner()),
                request.getWantsList().stream()
                        .map(want -> new Want(new LockName(want.getName()), Commands.terms(want.getTerms())))
                        .toList(),
                commands.request(request.getTag()),
                request.getTtlMs() * NANOS_PER_MILLI,
                Commands.waitNanos(request.getWaitMs()),
                request.getOwnerLabel(),
                request.getAllowDeadlock());
    }

    static void check(GiveUpAllRequest request) {
        Checks checks = new Checks();
        checks.owner(request.getOwner());
        checks.names(request.getNamesList());
        checks.tag(request.getTag(), request.getOwner());
        checks.done();
    }

    Command.GiveUpAll giveUp(GiveUpAllRequest request) {
        return new Command.GiveUpAll(
                Commands.owner(request.getOwner()), names(request.getNamesList()), commands.request(request.getTag()));
    }

    static void check(ReleaseAllRequest request) {
        Checks checks = new Checks();
        checks.owner(request.getOwner());
        checks.names(request.getNamesList());
        checks.tag(request.getTag(), request.getOwner());
        checks.optionalToken("token", request.getToken());
        checks.done();
    }

    Command.ReleaseAll release(ReleaseAllRequest request) {
        return new Command.ReleaseAll(
                Commands.owner(request.getOwner()),
                names(request.getNamesList()),
                commands.request(request.getTag()),
                Commands.token(request.getToken()));
    }

    private static List<LockName> names(List<String> names) {
        return names.stream().map(LockName::new).toList();
    }
}
