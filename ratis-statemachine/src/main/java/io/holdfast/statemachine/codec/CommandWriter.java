package io.holdfast.statemachine.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.core.Command;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockTable;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.Request;
import io.holdfast.core.SessionId;
import io.holdfast.core.Terms;
import io.holdfast.core.Want;
import io.holdfast.log.v1.AcquireAllRecord;
import io.holdfast.log.v1.AcquireRecord;
import io.holdfast.log.v1.CloseSessionRecord;
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
import java.util.List;
import java.util.Optional;

/** Commands as the log format has them. {@link CommandSize} counts what is written here. */
final class CommandWriter {
    private CommandWriter() {}

    static CommandRecord write(Command command) {
        CommandRecord.Builder out = CommandRecord.newBuilder();
        switch (command) {
            case Command.OpenSession open -> out.setOpenSession(openSession(open));
            case Command.CloseSession close ->
                out.setCloseSession(CloseSessionRecord.newBuilder().setSession(id(close.session())));
            case Command.RenewSessions renew ->
                out.setRenewSessions(RenewSessionsRecord.newBuilder().setSessions(packed(renew.sessions())));
            case Command.Acquire acquire -> out.setAcquire(acquire(acquire));
            case Command.GiveUp giveUp -> out.setGiveUp(giveUp(giveUp));
            case Command.Release release -> out.setRelease(release(release));
            case Command.RenewHold renew -> out.setRenewHold(renewHold(renew));
            case Command.Convert convert -> out.setConvert(convert(convert));
            case Command.AcquireAll all -> out.setAcquireAll(acquireAll(all));
            case Command.GiveUpAll all -> out.setGiveUpAll(giveUpAll(all));
            case Command.ReleaseAll all -> out.setReleaseAll(releaseAll(all));
            case Command.Proclaim proclaim -> out.setProclaim(proclaim(proclaim));
            case Command.HandOff handOff -> out.setHandOff(handOff(handOff));
            case Command.Revoke revoke -> out.setRevoke(revoke(revoke));
            case Command.RaiseFeatureLevel raise -> out.setRaiseFeatureLevel(raiseFeatureLevel(raise));
        }
        return out.build();
    }

    /** A level that this version does not know would stop every member of it. */
    private static RaiseFeatureLevelRecord.Builder raiseFeatureLevel(Command.RaiseFeatureLevel raise) {
        if (raise.level() > LockTable.NEWEST_FEATURE_LEVEL) {
            throw new IllegalArgumentException("feature level " + raise.level() + "; this version knows levels up to "
                    + LockTable.NEWEST_FEATURE_LEVEL);
        }
        return RaiseFeatureLevelRecord.newBuilder().setLevel(raise.level());
    }

    private static OpenSessionRecord.Builder openSession(Command.OpenSession open) {
        return OpenSessionRecord.newBuilder()
                .setSession(id(open.session()))
                .setIssuedAtNanos(open.issuedAtNanos())
                .setTtlNanos(open.ttlNanos())
                .setLabel(open.label())
                .setMetadata(open.metadata());
    }

    private static AcquireRecord.Builder acquire(Command.Acquire acquire) {
        AcquireRecord.Builder out = AcquireRecord.newBuilder()
                .setOwner(owner(acquire.owner()))
                .setName(acquire.name().value())
                .setRequest(request(acquire.request()))
                .setTtlNanos(acquire.ttlNanos())
                .setWaitNanos(acquire.waitNanos())
                .setLabel(acquire.label())
                .setAllowDeadlock(acquire.allowDeadlock());
        // Plain ones are left out: so the first version wrote them.
        return acquire.terms().equals(Terms.PLAIN) ? out : out.setTerms(terms(acquire.terms()));
    }

    private static ConvertRecord.Builder convert(Command.Convert convert) {
        return ConvertRecord.newBuilder()
                .setOwner(owner(convert.owner()))
                .setName(convert.name().value())
                .setRequest(request(convert.request()))
                .setToken(token(convert.token()))
                .setMode(mode(convert.mode()));
    }

    private static ProclaimRecord.Builder proclaim(Command.Proclaim proclaim) {
        return ProclaimRecord.newBuilder()
                .setOwner(owner(proclaim.owner()))
                .setName(proclaim.name().value())
                .setRequest(request(proclaim.request()))
                .setToken(token(proclaim.token()))
                .setValue(proclaim.value());
    }

    private static HandOffRecord.Builder handOff(Command.HandOff handOff) {
        return HandOffRecord.newBuilder()
                .setOwner(owner(handOff.owner()))
                .setName(handOff.name().value())
                .setRequest(request(handOff.request()))
                .setToken(token(handOff.token()))
                .setTo(owner(handOff.to()))
                .setTtlNanos(handOff.ttlNanos())
                .setLabel(handOff.label());
    }

    private static RevokeRecord.Builder revoke(Command.Revoke revoke) {
        return RevokeRecord.newBuilder()
                .setName(revoke.name().value())
                .setToken(revoke.token().value())
                .setRequest(identified(revoke.request()))
                .setGraceNanos(revoke.graceNanos())
                .setReason(revoke.reason())
                .setBy(revoke.by());
    }

    private static AcquireAllRecord.Builder acquireAll(Command.AcquireAll all) {
        AcquireAllRecord.Builder out = AcquireAllRecord.newBuilder()
                .setOwner(owner(all.owner()))
                .setRequest(request(all.request()))
                .setTtlNanos(all.ttlNanos())
                .setWaitNanos(all.waitNanos())
                .setLabel(all.label())
                .setAllowDeadlock(all.allowDeadlock());
        all.wants().forEach(want -> out.addWants(want(want)));
        return out;
    }

    private static WantRecord.Builder want(Want want) {
        WantRecord.Builder out = WantRecord.newBuilder().setName(want.name().value());
        return want.terms().equals(Terms.PLAIN) ? out : out.setTerms(terms(want.terms()));
    }

    private static GiveUpAllRecord.Builder giveUpAll(Command.GiveUpAll all) {
        GiveUpAllRecord.Builder out =
                GiveUpAllRecord.newBuilder().setOwner(owner(all.owner())).setRequest(request(all.request()));
        all.names().forEach(name -> out.addNames(name.value()));
        return out;
    }

    private static ReleaseAllRecord.Builder releaseAll(Command.ReleaseAll all) {
        ReleaseAllRecord.Builder out = ReleaseAllRecord.newBuilder()
                .setOwner(owner(all.owner()))
                .setRequest(request(all.request()))
                .setToken(token(all.token()));
        all.names().forEach(name -> out.addNames(name.value()));
        return out;
    }

    private static TermsRecord.Builder terms(Terms terms) {
        TermsRecord.Builder out = TermsRecord.newBuilder()
                .setMode(mode(terms.mode()))
                .setValue(terms.value())
                .setLockDelayNanos(terms.lockDelayNanos());
        if (terms.mode() instanceof Mode.Permits some) {
            out.setPermits(some.permits()).setCapacity(some.capacity());
        }
        return out;
    }

    private static ModeKind mode(Mode mode) {
        return switch (mode) {
            case Mode.Exclusive it -> ModeKind.MODE_KIND_EXCLUSIVE;
            case Mode.Shared it -> ModeKind.MODE_KIND_SHARED;
            case Mode.Permits it -> ModeKind.MODE_KIND_PERMITS;
        };
    }

    private static GiveUpRecord.Builder giveUp(Command.GiveUp giveUp) {
        return GiveUpRecord.newBuilder()
                .setOwner(owner(giveUp.owner()))
                .setName(giveUp.name().value())
                .setRequest(request(giveUp.request()));
    }

    private static ReleaseRecord.Builder release(Command.Release release) {
        return ReleaseRecord.newBuilder()
                .setOwner(owner(release.owner()))
                .setName(release.name().value())
                .setRequest(request(release.request()))
                .setToken(token(release.token()))
                .setPermits(release.permits());
    }

    private static RenewHoldRecord.Builder renewHold(Command.RenewHold renew) {
        return RenewHoldRecord.newBuilder()
                .setOneShotOwner(renew.owner().id())
                .setName(renew.name().value())
                .setToken(token(renew.token()))
                .setTtlNanos(renew.ttlNanos());
    }

    private static OwnerRecord.Builder owner(Owner owner) {
        OwnerRecord.Builder out = OwnerRecord.newBuilder();
        return switch (owner) {
            case Owner.OneShot one -> out.setOneShot(one.id());
            case Owner.OfSession one -> out.setSession(id(one.session()));
        };
    }

    private static RequestRecord.Builder request(Request request) {
        RequestRecord.Builder out = RequestRecord.newBuilder();
        return switch (request) {
            case Request.Numbered one ->
                out.setNumbered(
                        NumberedRecord.newBuilder().setNumber(one.number()).setSeenUpTo(one.seenUpTo()));
            case Request.Identified one -> out.setIdentified(identified(one));
        };
    }

    private static IdentifiedRecord.Builder identified(Request.Identified request) {
        return IdentifiedRecord.newBuilder()
                .setId(id(request.id().high(), request.id().low()))
                .setIssuedAtNanos(request.issuedAtNanos());
    }

    private static IdRecord.Builder id(SessionId session) {
        return id(session.high(), session.low());
    }

    private static IdRecord.Builder id(long high, long low) {
        return IdRecord.newBuilder().setHigh(high).setLow(low);
    }

    private static long token(Optional<FencingToken> token) {
        return token.map(FencingToken::value).orElse(0L);
    }

    private static ByteString packed(List<SessionId> sessions) {
        ByteBuffer out = ByteBuffer.allocate(Math.multiplyExact(sessions.size(), CommandSize.PACKED_ID));
        for (SessionId session : sessions) {
            out.putLong(session.high()).putLong(session.low());
        }
        return UnsafeByteOperations.unsafeWrap(out.flip());
    }
}
