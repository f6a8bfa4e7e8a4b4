package io.holdfast.statemachine.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.holdfast.core.Command;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.LockTable;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.core.SessionId;
import io.holdfast.core.Terms;
import io.holdfast.core.Want;
import io.holdfast.log.v1.AcquireAllRecord;
import io.holdfast.log.v1.AcquireRecord;
import io.holdfast.log.v1.CommandRecord;
import io.holdfast.log.v1.ConvertRecord;
import io.holdfast.log.v1.GiveUpAllRecord;
import io.holdfast.log.v1.GiveUpRecord;
import io.holdfast.log.v1.HandOffRecord;
import io.holdfast.log.v1.IdRecord;
import io.holdfast.log.v1.IdentifiedRecord;
import io.holdfast.log.v1.ModeKind;
import io.holdfast.log.v1.NumberedRecord;
import io.holdfast.log.v1.OpenSessionRecord;
import io.holdfast.log.v1.OwnerRecord;
import io.holdfast.log.v1.ProclaimRecord;
import io.holdfast.log.v1.RaiseFeatureLevelRecord;
import io.holdfast.log.v1.ReleaseAllRecord;
import io.holdfast.log.v1.ReleaseRecord;
import io.holdfast.log.v1.RenewHoldRecord;
import io.holdfast.log.v1.RenewSessionsRecord;
import io.holdfast.log.v1.RequestRecord;
import io.holdfast.log.v1.RevokeRecord;
import io.holdfast.log.v1.TermsRecord;
import io.holdfast.log.v1.WantRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Commands out of the log format. Refuses fields that it does not know: half an entry is not an entry.
 *
 * <p>Throws {@link IllegalArgumentException} for what the core's constructors refuse.
 */
final class CommandReader {
    private CommandReader() {}

    static void refuseUnknown(Message message) {
        if (!message.getUnknownFields().asMap().isEmpty()) {
            throw new CorruptEntryException(message.getDescriptorForType().getName() + " has an unknown field "
                    + message.getUnknownFields().asMap().keySet().iterator().next());
        }
    }

    static Command read(int format, CommandRecord record) {
        Command command = read(record);
        if (Formats.of(command) > format) {
            throw new CorruptEntryException("log format " + format + " cannot say this " + record.getCommandCase());
        }
        return command;
    }

    private static Command read(CommandRecord command) {
        refuseUnknown(command);
        return switch (command.getCommandCase()) {
            case OPEN_SESSION -> openSession(command.getOpenSession());
            case CLOSE_SESSION -> {
                refuseUnknown(command.getCloseSession());
                yield new Command.CloseSession(session(command.getCloseSession().getSession()));
            }
            case RENEW_SESSIONS -> renewSessions(command.getRenewSessions());
            case ACQUIRE -> acquire(command.getAcquire());
            case GIVE_UP -> giveUp(command.getGiveUp());
            case RELEASE -> release(command.getRelease());
            case RENEW_HOLD -> renewHold(command.getRenewHold());
            case RAISE_FEATURE_LEVEL -> raiseFeatureLevel(command.getRaiseFeatureLevel());
            case CONVERT -> convert(command.getConvert());
            case ACQUIRE_ALL -> acquireAll(command.getAcquireAll());
            case GIVE_UP_ALL -> giveUpAll(command.getGiveUpAll());
            case RELEASE_ALL -> releaseAll(command.getReleaseAll());
            case PROCLAIM -> proclaim(command.getProclaim());
            case HAND_OFF -> handOff(command.getHandOff());
            case REVOKE -> revoke(command.getRevoke());
            case COMMAND_NOT_SET -> throw new CorruptEntryException("a command of no kind");
        };
    }

    private static Command openSession(OpenSessionRecord open) {
        refuseUnknown(open);
        return new Command.OpenSession(
                session(open.getSession()),
                open.getIssuedAtNanos(),
                open.getTtlNanos(),
                open.getLabel(),
                open.getMetadata());
    }

    private static Command renewSessions(RenewSessionsRecord renew) {
        refuseUnknown(renew);
        ByteString packed = renew.getSessions();
        if (packed.size() % CommandSize.PACKED_ID != 0) {
            throw new CorruptEntryException("session ids of " + packed.size() + " bytes together");
        }
        List<SessionId> sessions = new ArrayList<>(packed.size() / CommandSize.PACKED_ID);
        ByteBuffer in = packed.asReadOnlyByteBuffer();
        while (in.hasRemaining()) {
            sessions.add(new SessionId(in.getLong(), in.getLong()));
        }
        return new Command.RenewSessions(sessions);
    }

    private static Command acquire(AcquireRecord acquire) {
        refuseUnknown(acquire);
        return new Command.Acquire(
                owner(acquire.getOwner()),
                new LockName(acquire.getName()),
                request(acquire.getRequest()),
                acquire.getTtlNanos(),
                acquire.getWaitNanos(),
                acquire.getLabel(),
                acquire.hasTerms() ? terms(acquire.getTerms()) : Terms.PLAIN,
                acquire.getAllowDeadlock());
    }

    private static Command giveUp(GiveUpRecord giveUp) {
        refuseUnknown(giveUp);
        return new Command.GiveUp(
                owner(giveUp.getOwner()), new LockName(giveUp.getName()), request(giveUp.getRequest()));
    }

    private static Command release(ReleaseRecord release) {
        refuseUnknown(release);
        return new Command.Release(
                owner(release.getOwner()),
                new LockName(release.getName()),
                request(release.getRequest()),
                token(release.getToken()),
                release.getPermits());
    }

    private static Command renewHold(RenewHoldRecord renew) {
        refuseUnknown(renew);
        return new Command.RenewHold(
                new Owner.OneShot(renew.getOneShotOwner()),
                new LockName(renew.getName()),
                token(renew.getToken()),
                renew.getTtlNanos());
    }

    private static Command convert(ConvertRecord convert) {
        refuseUnknown(convert);
        return new Command.Convert(
                owner(convert.getOwner()),
                new LockName(convert.getName()),
                request(convert.getRequest()),
                token(convert.getToken()),
                mode(convert.getMode()));
    }

    private static Command proclaim(ProclaimRecord proclaim) {
        refuseUnknown(proclaim);
        return new Command.Proclaim(
                owner(proclaim.getOwner()),
                new LockName(proclaim.getName()),
                request(proclaim.getRequest()),
                token(proclaim.getToken()),
                proclaim.getValue());
    }

    private static Command handOff(HandOffRecord handOff) {
        refuseUnknown(handOff);
        return new Command.HandOff(
                owner(handOff.getOwner()),
                new LockName(handOff.getName()),
                request(handOff.getRequest()),
                token(handOff.getToken()),
                owner(handOff.getTo()),
                handOff.getTtlNanos(),
                handOff.getLabel());
    }

    private static Command revoke(RevokeRecord revoke) {
        refuseUnknown(revoke);
        return new Command.Revoke(
                new LockName(revoke.getName()),
                new FencingToken(revoke.getToken()),
                identified(revoke.getRequest()),
                revoke.getGraceNanos(),
                revoke.getReason(),
                revoke.getBy());
    }

    private static Command acquireAll(AcquireAllRecord all) {
        refuseUnknown(all);
        return new Command.AcquireAll(
                owner(all.getOwner()),
                all.getWantsList().stream().map(CommandReader::want).toList(),
                request(all.getRequest()),
                all.getTtlNanos(),
                all.getWaitNanos(),
                all.getLabel(),
                all.getAllowDeadlock());
    }

    private static Want want(WantRecord want) {
        refuseUnknown(want);
        return new Want(new LockName(want.getName()), want.hasTerms() ? terms(want.getTerms()) : Terms.PLAIN);
    }

    private static Command giveUpAll(GiveUpAllRecord all) {
        refuseUnknown(all);
        return new Command.GiveUpAll(owner(all.getOwner()), names(all.getNamesList()), request(all.getRequest()));
    }

    private static Command releaseAll(ReleaseAllRecord all) {
        refuseUnknown(all);
        return new Command.ReleaseAll(
                owner(all.getOwner()), names(all.getNamesList()), request(all.getRequest()), token(all.getToken()));
    }

    private static List<LockName> names(List<String> names) {
        return names.stream().map(LockName::new).toList();
    }

    private static Terms terms(TermsRecord terms) {
        refuseUnknown(terms);
        return new Terms(mode(terms), terms.getValue(), terms.getLockDelayNanos());
    }

    private static Mode mode(TermsRecord terms) {
        if (terms.getMode() == ModeKind.MODE_KIND_PERMITS) {
            return new Mode.Permits(terms.getPermits(), terms.getCapacity());
        }
        if (terms.getPermits() != 0 || terms.getCapacity() != 0) {
            throw new CorruptEntryException("permits of what is no semaphore");
        }
        return mode(terms.getMode());
    }

    private static Mode mode(ModeKind mode) {
        return switch (mode) {
            case MODE_KIND_EXCLUSIVE -> Mode.EXCLUSIVE;
            case MODE_KIND_SHARED -> Mode.SHARED;
            case MODE_KIND_PERMITS, MODE_KIND_UNSPECIFIED, UNRECOGNIZED ->
                throw new CorruptEntryException("an unknown mode");
        };
    }

    private static Command raiseFeatureLevel(RaiseFeatureLevelRecord raise) {
        refuseUnknown(raise);
        if (raise.getLevel() > LockTable.NEWEST_FEATURE_LEVEL) {
            throw UnsupportedFormatException.ofLevel(raise.getLevel());
        }
        return new Command.RaiseFeatureLevel(raise.getLevel());
    }

    private static Owner owner(OwnerRecord owner) {
        refuseUnknown(owner);
        return switch (owner.getOwnerCase()) {
            case ONE_SHOT -> new Owner.OneShot(owner.getOneShot());
            case SESSION -> new Owner.OfSession(session(owner.getSession()));
            case OWNER_NOT_SET -> throw new CorruptEntryException("a command of no owner");
        };
    }

    private static Request request(RequestRecord request) {
        refuseUnknown(request);
        return switch (request.getRequestCase()) {
            case NUMBERED -> {
                NumberedRecord one = request.getNumbered();
                refuseUnknown(one);
                yield new Request.Numbered(one.getNumber(), one.getSeenUpTo());
            }
            case IDENTIFIED -> identified(request.getIdentified());
            case REQUEST_NOT_SET -> throw new CorruptEntryException("a command without number or id");
        };
    }

    private static Request.Identified identified(IdentifiedRecord request) {
        refuseUnknown(request);
        refuseUnknown(request.getId());
        return new Request.Identified(
                new RequestId(request.getId().getHigh(), request.getId().getLow()), request.getIssuedAtNanos());
    }

    private static SessionId session(IdRecord id) {
        refuseUnknown(id);
        return new SessionId(id.getHigh(), id.getLow());
    }

    /** Absent if 0; a negative one is refused by the token itself. */
    private static Optional<FencingToken> token(long value) {
        return value == 0 ? Optional.empty() : Optional.of(new FencingToken(value));
    }
}
