package io.holdfast.statemachine.codec;

import io.holdfast.core.Command;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.Owner;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.core.SessionId;
import io.holdfast.log.v1.AcquireRecord;
import io.holdfast.log.v1.CloseSessionRecord;
import io.holdfast.log.v1.CommandRecord;
import io.holdfast.log.v1.GiveUpRecord;
import io.holdfast.log.v1.IdRecord;
import io.holdfast.log.v1.OpenSessionRecord;
import io.holdfast.log.v1.OwnerRecord;
import io.holdfast.log.v1.ReleaseRecord;
import io.holdfast.log.v1.RenewHoldRecord;
import io.holdfast.log.v1.RenewSessionsRecord;
import io.holdfast.log.v1.RequestRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One command as a record of the log and back. */
final class CommandCodec {
    private CommandCodec() {}

    static CommandRecord encode(Command command) {
        CommandRecord.Builder record = CommandRecord.newBuilder();
        switch (command) {
            case Command.OpenSession it ->
                record.setOpenSession(OpenSessionRecord.newBuilder()
                        .setSession(encode(it.session()))
                        .setIssuedAt(it.issuedAtNanos())
                        .setTtlNanos(it.ttlNanos())
                        .setLabel(it.label()));
            case Command.CloseSession it ->
                record.setCloseSession(CloseSessionRecord.newBuilder().setSession(encode(it.session())));
            case Command.RenewSessions it -> record.setRenewSessions(encode(it));
            case Command.Acquire it ->
                record.setAcquire(AcquireRecord.newBuilder()
                        .setOwner(encode(it.owner()))
                        .setName(it.name().value())
                        .setRequest(encode(it.request()))
                        .setTtlNanos(it.ttlNanos())
                        .setWaitNanos(it.waitNanos())
                        .setLabel(it.label()));
            case Command.GiveUp it ->
                record.setGiveUp(GiveUpRecord.newBuilder()
                        .setOwner(encode(it.owner()))
                        .setName(it.name().value())
                        .setRequest(encode(it.request())));
            case Command.Release it ->
                record.setRelease(ReleaseRecord.newBuilder()
                        .setOwner(encode(it.owner()))
                        .setName(it.name().value())
                        .setRequest(encode(it.request()))
                        .setToken(encode(it.token())));
            case Command.RenewHold it ->
                record.setRenewHold(RenewHoldRecord.newBuilder()
                        .setOwner(it.owner().id())
                        .setName(it.name().value())
                        .setToken(encode(it.token()))
                        .setTtlNanos(it.ttlNanos()));
        }
        return record.build();
    }

    /** Throws IllegalArgumentException for what no door would have let in. */
    static Command decode(CommandRecord record) {
        return switch (record.getKindCase()) {
            case OPEN_SESSION -> decode(record.getOpenSession());
            case CLOSE_SESSION ->
                new Command.CloseSession(session(record.getCloseSession().getSession()));
            case RENEW_SESSIONS -> decode(record.getRenewSessions());
            case ACQUIRE -> decode(record.getAcquire());
            case GIVE_UP -> decode(record.getGiveUp());
            case RELEASE -> decode(record.getRelease());
            case RENEW_HOLD -> decode(record.getRenewHold());
            case KIND_NOT_SET -> throw new IllegalArgumentException("of a kind that this version does not know");
        };
    }

    private static Command decode(OpenSessionRecord it) {
        return new Command.OpenSession(session(it.getSession()), it.getIssuedAt(), it.getTtlNanos(), it.getLabel());
    }

    private static Command decode(RenewSessionsRecord it) {
        if (it.getHalvesCount() % 2 != 0) {
            throw new IllegalArgumentException("half a session id");
        }
        List<SessionId> sessions = new ArrayList<>(it.getHalvesCount() / 2);
        for (int i = 0; i < it.getHalvesCount(); i += 2) {
            sessions.add(new SessionId(it.getHalves(i), it.getHalves(i + 1)));
        }
        return new Command.RenewSessions(sessions);
    }

    private static Command decode(AcquireRecord it) {
        return new Command.Acquire(
                decode(it.getOwner()),
                new LockName(it.getName()),
                decode(it.getRequest()),
                it.getTtlNanos(),
                it.getWaitNanos(),
                it.getLabel());
    }

    private static Command decode(GiveUpRecord it) {
        return new Command.GiveUp(decode(it.getOwner()), new LockName(it.getName()), decode(it.getRequest()));
    }

    private static Command decode(ReleaseRecord it) {
        return new Command.Release(
                decode(it.getOwner()), new LockName(it.getName()), decode(it.getRequest()), token(it.getToken()));
    }

    private static Command decode(RenewHoldRecord it) {
        return new Command.RenewHold(
                new Owner.OneShot(it.getOwner()), new LockName(it.getName()), token(it.getToken()), it.getTtlNanos());
    }

    private static RenewSessionsRecord encode(Command.RenewSessions it) {
        RenewSessionsRecord.Builder record = RenewSessionsRecord.newBuilder();
        it.sessions().forEach(session -> record.addHalves(session.high()).addHalves(session.low()));
        return record.build();
    }

    private static OwnerRecord encode(Owner owner) {
        return switch (owner) {
            case Owner.OneShot it ->
                OwnerRecord.newBuilder().setOneShot(it.id()).build();
            case Owner.OfSession it ->
                OwnerRecord.newBuilder().setSession(encode(it.session())).build();
        };
    }

    private static Owner decode(OwnerRecord owner) {
        return switch (owner.getKindCase()) {
            case ONE_SHOT -> new Owner.OneShot(owner.getOneShot());
            case SESSION -> new Owner.OfSession(session(owner.getSession()));
            case KIND_NOT_SET -> throw new IllegalArgumentException("no owner");
        };
    }

    private static RequestRecord encode(Request request) {
        return switch (request) {
            case Request.Identified it ->
                RequestRecord.newBuilder()
                        .setId(IdRecord.newBuilder()
                                .setHigh(it.id().high())
                                .setLow(it.id().low()))
                        .setIssuedAt(it.issuedAtNanos())
                        .build();
            case Request.Numbered it ->
                RequestRecord.newBuilder()
                        .setNumber(it.number())
                        .setSeenUpTo(it.seenUpTo())
                        .build();
        };
    }

    private static Request decode(RequestRecord request) {
        return switch (request.getKindCase()) {
            case ID ->
                new Request.Identified(
                        new RequestId(request.getId().getHigh(), request.getId().getLow()), request.getIssuedAt());
            case NUMBER -> new Request.Numbered(request.getNumber(), request.getSeenUpTo());
            case KIND_NOT_SET -> throw new IllegalArgumentException("no request");
        };
    }

    private static IdRecord encode(SessionId session) {
        return IdRecord.newBuilder()
                .setHigh(session.high())
                .setLow(session.low())
                .build();
    }

    private static SessionId session(IdRecord id) {
        return new SessionId(id.getHigh(), id.getLow());
    }

    private static long encode(Optional<FencingToken> token) {
        return token.map(FencingToken::value).orElse(0L);
    }

    private static Optional<FencingToken> token(long value) {
        return value == 0 ? Optional.empty() : Optional.of(new FencingToken(value));
    }
}
