package io.holdfast.statemachine.snapshot;

import io.holdfast.core.Event;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.LoggedEvent;
import io.holdfast.core.Mode;
import io.holdfast.core.Owner;
import io.holdfast.snapshot.v1.EventRecord;
import io.holdfast.snapshot.v1.PartyRecord;

/** Events out of a checkpoint. Refuses what their kind has nothing to say about. */
final class EventReader {
    private EventReader() {}

    static LoggedEvent read(long ordinal, EventRecord record) {
        LoggedEvent logged = new LoggedEvent(ordinal, record.getLogIndex(), record.getLeaseTimeNanos(), event(record));
        // Unknown fields make a difference too.
        if (!EventWriter.write(logged).equals(record)) {
            throw new IllegalArgumentException("it says more, or otherwise, than an event of its kind can");
        }
        return logged;
    }

    private static Event event(EventRecord it) {
        return switch (it.getKind()) {
            case EVENT_KIND_ACQUIRED ->
                new Event.Acquired(
                        name(it),
                        owner(it),
                        label(it),
                        token(it),
                        mode(it),
                        it.getTerms().getValue());
            case EVENT_KIND_VALUE_CHANGED ->
                new Event.ValueChanged(
                        name(it), owner(it), label(it), token(it), it.getTerms().getValue());
            case EVENT_KIND_CONVERTED ->
                new Event.Converted(name(it), owner(it), label(it), before(it), token(it), mode(it));
            case EVENT_KIND_HANDED_OFF ->
                new Event.HandedOff(
                        name(it),
                        owner(it),
                        label(it),
                        before(it),
                        owner(it.getTo()),
                        it.getTo().getLabel(),
                        token(it),
                        mode(it),
                        it.getTerms().getValue());
            case EVENT_KIND_REVOKING ->
                new Event.Revoking(
                        name(it), owner(it), label(it), token(it), it.getDeadlineNanos(), it.getReason(), it.getBy());
            case EVENT_KIND_HOLD_ENDED ->
                new Event.HoldEnded(name(it), owner(it), label(it), token(it), ImageReader.end(it.getHow()));
            case EVENT_KIND_PERMITS_RELEASED ->
                new Event.PermitsReleased(name(it), owner(it), label(it), token(it), it.getPermits(), it.getLeft());
            case EVENT_KIND_QUEUED -> new Event.Queued(name(it), owner(it), label(it), mode(it));
            case EVENT_KIND_LEFT_QUEUE ->
                new Event.LeftQueue(name(it), owner(it), label(it), ImageReader.end(it.getHow()));
            case EVENT_KIND_SESSION_OPENED ->
                new Event.SessionOpened(ImageReader.session(it.getParty().getSession()), label(it));
            case EVENT_KIND_SESSION_ENDED ->
                new Event.SessionEnded(
                        ImageReader.session(it.getParty().getSession()), label(it), ImageReader.end(it.getHow()));
            case EVENT_KIND_UNSPECIFIED, UNRECOGNIZED -> throw new IllegalArgumentException("an unknown event");
        };
    }

    private static LockName name(EventRecord it) {
        return new LockName(it.getName());
    }

    private static Owner owner(EventRecord it) {
        return owner(it.getParty());
    }

    private static Owner owner(PartyRecord party) {
        return switch (party.getOwnerCase()) {
            case SESSION -> new Owner.OfSession(ImageReader.session(party.getSession()));
            case ONE_SHOT -> new Owner.OneShot(party.getOneShot());
            case OWNER_NOT_SET -> throw new IllegalArgumentException("it has no owner");
        };
    }

    private static String label(EventRecord it) {
        return it.getParty().getLabel();
    }

    private static FencingToken token(EventRecord it) {
        return new FencingToken(it.getToken());
    }

    private static FencingToken before(EventRecord it) {
        return new FencingToken(it.getBefore());
    }

    private static Mode mode(EventRecord it) {
        return ImageReader.mode(it.getTerms());
    }
}
