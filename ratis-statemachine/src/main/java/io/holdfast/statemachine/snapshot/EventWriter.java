package io.holdfast.statemachine.snapshot;

import io.holdfast.core.End;
import io.holdfast.core.Event;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.LoggedEvent;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.core.Terms;
import io.holdfast.snapshot.v1.EndKind;
import io.holdfast.snapshot.v1.EventKind;
import io.holdfast.snapshot.v1.EventRecord;
import io.holdfast.snapshot.v1.PartyRecord;

/** Events as a checkpoint has them. */
final class EventWriter {
    private EventWriter() {}

    static EventRecord write(LoggedEvent logged) {
        return write(logged.event())
                .setLogIndex(logged.logIndex())
                .setLeaseTimeNanos(logged.leaseTimeNanos())
                .build();
    }

    private static EventRecord.Builder write(Event event) {
        return switch (event) {
            case Event.Acquired it ->
                of(EventKind.EVENT_KIND_ACQUIRED, it.name(), it.owner(), it.label(), it.token())
                        .setTerms(ImageWriter.terms(new Terms(it.mode(), it.value(), 0)));
            case Event.ValueChanged it ->
                of(EventKind.EVENT_KIND_VALUE_CHANGED, it.name(), it.owner(), it.label(), it.token())
                        // A mode is never absent from terms; this one says nothing.
                        .setTerms(ImageWriter.terms(new Terms(Mode.EXCLUSIVE, it.value(), 0)));
            case Event.Converted it ->
                of(EventKind.EVENT_KIND_CONVERTED, it.name(), it.owner(), it.label(), it.token())
                        .setBefore(it.before().value())
                        .setTerms(ImageWriter.terms(new Terms(it.mode())));
            case Event.HandedOff it ->
                of(EventKind.EVENT_KIND_HANDED_OFF, it.name(), it.from(), it.fromLabel(), it.token())
                        .setBefore(it.before().value())
                        .setTo(party(it.to(), it.toLabel()))
                        .setTerms(ImageWriter.terms(new Terms(it.mode(), it.value(), 0)));
            case Event.Revoking it ->
                of(EventKind.EVENT_KIND_REVOKING, it.name(), it.owner(), it.label(), it.token())
                        .setDeadlineNanos(it.deadlineNanos())
                        .setReason(it.reason())
                        .setBy(it.by());
            case Event.HoldEnded it ->
                of(EventKind.EVENT_KIND_HOLD_ENDED, it.name(), it.owner(), it.label(), it.token())
                        .setHow(end(it.how()));
            case Event.PermitsReleased it ->
                of(EventKind.EVENT_KIND_PERMITS_RELEASED, it.name(), it.owner(), it.label(), it.token())
                        .setPermits(it.permits())
                        .setLeft(it.left());
            case Event.Queued it ->
                of(EventKind.EVENT_KIND_QUEUED, it.name(), it.owner(), it.label())
                        .setTerms(ImageWriter.terms(new Terms(it.mode())));
            case Event.LeftQueue it ->
                of(EventKind.EVENT_KIND_LEFT_QUEUE, it.name(), it.owner(), it.label())
                        .setHow(end(it.how()));
            case Event.SessionOpened it ->
                EventRecord.newBuilder()
                        .setKind(EventKind.EVENT_KIND_SESSION_OPENED)
                        .setParty(party(new Owner.OfSession(it.session()), it.label()));
            case Event.SessionEnded it ->
                EventRecord.newBuilder()
                        .setKind(EventKind.EVENT_KIND_SESSION_ENDED)
                        .setParty(party(new Owner.OfSession(it.session()), it.label()))
                        .setHow(end(it.how()));
        };
    }

    private static EventRecord.Builder of(
            EventKind kind, LockName name, Owner owner, String label, FencingToken token) {
        return of(kind, name, owner, label).setToken(token.value());
    }

    private static EventRecord.Builder of(EventKind kind, LockName name, Owner owner, String label) {
        return EventRecord.newBuilder().setKind(kind).setName(name.value()).setParty(party(owner, label));
    }

    private static PartyRecord.Builder party(Owner owner, String label) {
        PartyRecord.Builder out = PartyRecord.newBuilder().setLabel(label);
        return switch (owner) {
            case Owner.OfSession it ->
                out.setSession(ImageWriter.id(it.session().high(), it.session().low()));
            case Owner.OneShot it -> out.setOneShot(it.id());
        };
    }

    static EndKind end(End how) {
        return switch (how) {
            case RELEASED -> EndKind.END_KIND_RELEASED;
            case EXPIRED -> EndKind.END_KIND_EXPIRED;
            case TIMED_OUT -> EndKind.END_KIND_TIMED_OUT;
            case GAVE_UP -> EndKind.END_KIND_GAVE_UP;
            case REVOKED -> EndKind.END_KIND_REVOKED;
            case CONVERTED, HANDED_OFF -> throw new IllegalArgumentException("no event ends as " + how);
        };
    }
}
