package io.holdfast.server.grpc;

import io.holdfast.core.End;
import io.holdfast.core.Event;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.LoggedEvent;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.SessionId;
import io.holdfast.server.watch.Encoder;
import io.holdfast.server.watch.Told;
import io.holdfast.v1.Ended;
import io.holdfast.v1.WatchEvent;
import io.holdfast.v1.WatchEvent.Kind;
import io.holdfast.v1.WatchResponse;

/** Events as messages of the public API. A message of protobuf may be cut into parts, and parts put together make a message: so each event is written once. */
public final class WatchEncoder implements Encoder {
    @Override
    public byte[] head(long completeTo) {
        return WatchResponse.newBuilder().setCompleteTo(completeTo).build().toByteArray();
    }

    @Override
    public byte[] event(Told told) {
        WatchEvent.Builder event = event(told.event())
                .setLogIndex(told.place().logIndex())
                .setNumber(told.place().number())
                .setLeaseTime(told.leaseTimeNanos());
        return WatchResponse.newBuilder().addEvents(event).build().toByteArray();
    }

    /** An event that is remembered: which of its entry's events it is, is not. */
    static WatchEvent remembered(LoggedEvent logged) {
        return event(logged.event())
                .setLogIndex(logged.logIndex())
                .setLeaseTime(logged.leaseTimeNanos())
                .build();
    }

    private static WatchEvent.Builder event(Event event) {
        return switch (event) {
            case Event.Acquired it ->
                moded(hold(Kind.ACQUIRED, it.name(), it.owner(), it.label(), it.token()), it.mode())
                        .setValue(it.value());
            case Event.ValueChanged it ->
                hold(Kind.VALUE_CHANGED, it.name(), it.owner(), it.label(), it.token())
                        .setValue(it.value());
            case Event.Converted it ->
                moded(hold(Kind.CONVERTED, it.name(), it.owner(), it.label(), it.token()), it.mode())
                        .setTokenBefore(it.before().value());
            case Event.HoldEnded it -> hold(ended(it.how()), it.name(), it.owner(), it.label(), it.token());
            case Event.HandedOff it ->
                moded(hold(Kind.HANDED_OFF, it.name(), it.to(), it.toLabel(), it.token()), it.mode())
                        .setTokenBefore(it.before().value())
                        .setOwnerBefore(Views.owner(it.from()))
                        .setOwnerBeforeLabel(it.fromLabel())
                        .setValue(it.value());
            case Event.Revoking it ->
                hold(Kind.REVOKING, it.name(), it.owner(), it.label(), it.token())
                        .setDeadline(it.deadlineNanos())
                        .setReason(it.reason())
                        .setBy(it.by());
            case Event.PermitsReleased it ->
                hold(Kind.PERMITS_RELEASED, it.name(), it.owner(), it.label(), it.token())
                        .setPermits(it.permits())
                        .setPermitsLeft(it.left());
            case Event.Queued it -> moded(about(Kind.QUEUED, it.name(), it.owner(), it.label()), it.mode());
            case Event.LeftQueue it ->
                about(Kind.LEFT_QUEUE, it.name(), it.owner(), it.label()).setLeft(left(it.how()));
            case Event.SessionOpened it -> session(Kind.SESSION_OPENED, it.session(), it.label());
            case Event.SessionEnded it ->
                session(it.how() == End.EXPIRED ? Kind.SESSION_EXPIRED : Kind.SESSION_CLOSED, it.session(), it.label());
        };
    }

    private static Kind ended(End how) {
        return switch (how) {
            case EXPIRED -> Kind.EXPIRED;
            case REVOKED -> Kind.REVOKED;
            case RELEASED, TIMED_OUT, GAVE_UP, CONVERTED, HANDED_OFF -> Kind.RELEASED;
        };
    }

    private static Ended.How left(End how) {
        return switch (how) {
            case RELEASED, CONVERTED, HANDED_OFF, REVOKED -> Ended.How.RELEASED;
            case EXPIRED -> Ended.How.EXPIRED;
            case TIMED_OUT -> Ended.How.TIMED_OUT;
            case GAVE_UP -> Ended.How.GAVE_UP;
        };
    }

    private static WatchEvent.Builder hold(Kind kind, LockName name, Owner owner, String label, FencingToken token) {
        return about(kind, name, owner, label).setToken(token.value());
    }

    private static WatchEvent.Builder about(Kind kind, LockName name, Owner owner, String label) {
        return WatchEvent.newBuilder()
                .setKind(kind)
                .setName(name.value())
                .setOwner(Views.owner(owner))
                .setOwnerLabel(label);
    }

    private static WatchEvent.Builder session(Kind kind, SessionId session, String label) {
        return WatchEvent.newBuilder()
                .setKind(kind)
                .setOwner(Views.owner(new Owner.OfSession(session)))
                .setOwnerLabel(label);
    }

    private static WatchEvent.Builder moded(WatchEvent.Builder event, Mode mode) {
        return switch (mode) {
            case Mode.Exclusive it -> event.setMode(io.holdfast.v1.Lock.Mode.EXCLUSIVE);
            case Mode.Shared it -> event.setMode(io.holdfast.v1.Lock.Mode.SHARED);
            case Mode.Permits it ->
                event.setMode(io.holdfast.v1.Lock.Mode.SEMAPHORE).setPermits(it.permits());
        };
    }
}
