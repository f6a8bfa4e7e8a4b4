package io.holdfast.server.grpc;

import io.holdfast.core.Bounds;
import io.holdfast.core.Command;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.Mode;
import io.holdfast.core.Request;
import io.holdfast.v1.ConvertRequest;
import io.holdfast.v1.HandOffRequest;
import io.holdfast.v1.Lock;
import io.holdfast.v1.ProclaimRequest;
import io.holdfast.v1.RevokeRequest;

/** Requests about a hold that there is, as commands of the core; as {@link Commands} does it. */
final class HoldCommands {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Commands commands;

    HoldCommands(Commands commands) {
        this.commands = commands;
    }

    static void check(ConvertRequest request) {
        Checks checks = new Checks();
        checks.owner(request.getOwner());
        checks.bound("name", Bounds.name(request.getName()));
        checks.tag(request.getTag(), request.getOwner());
        checks.optionalToken("token", request.getToken());
        checks.conversion("mode", request.getMode(), request.getModeValue());
        checks.done();
    }

    Command.Convert convert(ConvertRequest request) {
        return new Command.Convert(
                Commands.owner(request.getOwner()),
                new LockName(request.getName()),
                commands.request(request.getTag()),
                Commands.token(request.getToken()),
                request.getMode() == Lock.Mode.SHARED ? Mode.SHARED : Mode.EXCLUSIVE);
    }

    static void check(ProclaimRequest request) {
        Checks checks = new Checks();
        checks.owner(request.getOwner());
        checks.bound("name", Bounds.name(request.getName()));
        checks.tag(request.getTag(), request.getOwner());
        checks.optionalToken("token", request.getToken());
        checks.bound("value", Bounds.value(request.getValue()));
        checks.done();
    }

    Command.Proclaim proclaim(ProclaimRequest request) {
        return new Command.Proclaim(
                Commands.owner(request.getOwner()),
                new LockName(request.getName()),
                commands.request(request.getTag()),
                Commands.token(request.getToken()),
                request.getValue());
    }

    static void check(HandOffRequest request) {
        Checks checks = new Checks();
        checks.owner(request.getOwner());
        checks.bound("name", Bounds.name(request.getName()));
        checks.tag(request.getTag(), request.getOwner());
        checks.optionalToken("token", request.getToken());
        checks.owner("to", request.getTo());
        checks.ttl(request.getTo(), request.getTtlMs());
        checks.bound("to_label", Bounds.label(request.getToLabel()));
        checks.done();
    }

    Command.HandOff handOff(HandOffRequest request) {
        return new Command.HandOff(
                Commands.owner(request.getOwner()),
                new LockName(request.getName()),
                commands.request(request.getTag()),
                Commands.token(request.getToken()),
                Commands.owner(request.getTo()),
                request.getTtlMs() * NANOS_PER_MILLI,
                request.getToLabel());
    }

    static void check(RevokeRequest request) {
        Checks checks = new Checks();
        checks.bound("name", Bounds.name(request.getName()));
        checks.bound("if_token", Bounds.token(request.getIfToken()));
        checks.idTag(request.getTag());
        checks.bound("grace_ms", Bounds.graceMillis(request.getGraceMs()));
        checks.bound("reason", Bounds.reason(request.getReason()));
        checks.bound("by", Bounds.label(request.getBy()));
        checks.done();
    }

    Command.Revoke revoke(RevokeRequest request) {
        return new Command.Revoke(
                new LockName(request.getName()),
                new FencingToken(request.getIfToken()),
                (Request.Identified) commands.request(request.getTag()),
                request.getGraceMs() * NANOS_PER_MILLI,
                request.getReason(),
                request.getBy());
    }
}
