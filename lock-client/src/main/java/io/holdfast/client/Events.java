package io.holdfast.client;

import io.holdfast.v1.Ended;
import io.holdfast.v1.Lock;
import io.holdfast.v1.WatchEvent;

/** The API's events as this library's. */
final class Events {
    private Events() {}

    static LockEvent of(WatchEvent event) {
        return new LockEvent(
                event.getLogIndex(),
                event.getNumber(),
                event.getLeaseTime(),
                kind(event.getKind()),
                event.getName(),
                Answers.ownerId(event.getOwner()),
                event.getOwner().hasSessionId(),
                event.getOwnerLabel(),
                event.getToken(),
                event.getTokenBefore(),
                event.getMode() == Lock.Mode.MODE_UNSPECIFIED
                        ? ""
                        : event.getMode().name(),
                event.getValue(),
                event.getPermits(),
                event.getPermitsLeft(),
                event.getLeft() == Ended.How.HOW_UNSPECIFIED
                        ? ""
                        : event.getLeft().name(),
                Answers.ownerId(event.getOwnerBefore()),
                event.getReason(),
                event.getBy());
    }

    private static LockEvent.Kind kind(WatchEvent.Kind kind) {
        return switch (kind) {
            case ACQUIRED -> LockEvent.Kind.ACQUIRED;
            case RELEASED -> LockEvent.Kind.RELEASED;
            case EXPIRED -> LockEvent.Kind.EXPIRED;
            case REVOKED -> LockEvent.Kind.REVOKED;
            case REVOKING -> LockEvent.Kind.REVOKING;
            case HANDED_OFF -> LockEvent.Kind.HANDED_OFF;
            case CONVERTED -> LockEvent.Kind.CONVERTED;
            case PERMITS_RELEASED -> LockEvent.Kind.PERMITS_RELEASED;
            case VALUE_CHANGED -> LockEvent.Kind.VALUE_CHANGED;
            case QUEUED -> LockEvent.Kind.QUEUED;
            case LEFT_QUEUE -> LockEvent.Kind.LEFT_QUEUE;
            case SESSION_OPENED -> LockEvent.Kind.SESSION_OPENED;
            case SESSION_CLOSED -> LockEvent.Kind.SESSION_CLOSED;
            case SESSION_EXPIRED -> LockEvent.Kind.SESSION_EXPIRED;
            case KIND_UNSPECIFIED, UNRECOGNIZED -> LockEvent.Kind.OTHER;
        };
    }
}
