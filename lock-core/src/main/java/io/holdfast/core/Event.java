package io.holdfast.core;

import java.util.Optional;

/** What changed, for those who watch, and for the history. In order of effect. Labels say who an owner is, for people; they may be empty. */
public sealed interface Event {
    /**
     * A lock was granted.
     *
     * @param name the lock
     * @param owner its new holder
     * @param label who that is
     * @param token the token of the grant
     * @param mode alone or together with others
     * @param value what the holder publishes; may be empty
     */
    record Acquired(LockName name, Owner owner, String label, FencingToken token, Mode mode, String value)
            implements Event {}

    /**
     * A holder publishes another value.
     *
     * @param name the lock
     * @param owner who holds it
     * @param label who that is
     * @param token its token
     * @param value the value; may be empty
     */
    record ValueChanged(LockName name, Owner owner, String label, FencingToken token, String value) implements Event {}

    /**
     * A hold changed its mode, with no gap in between.
     *
     * @param name the lock
     * @param owner who holds it
     * @param label who that is
     * @param before the token it had; dead from this index on
     * @param token the token it has now
     * @param mode the mode it has now
     */
    record Converted(LockName name, Owner owner, String label, FencingToken before, FencingToken token, Mode mode)
            implements Event {}

    /**
     * A holder passed its lock on, with no gap in between. If the new holder waited, its wait is over.
     *
     * @param name the lock
     * @param from who held it
     * @param fromLabel who that is
     * @param before the token it had; dead from this index on
     * @param to who holds it now
     * @param toLabel who that is
     * @param token the token of the new hold
     * @param mode alone or together with others
     * @param value what the new holder publishes; may be empty
     */
    record HandedOff(
            LockName name,
            Owner from,
            String fromLabel,
            FencingToken before,
            Owner to,
            String toLabel,
            FencingToken token,
            Mode mode,
            String value)
            implements Event {}

    /**
     * A hold is revoked: its holder should stop.
     *
     * @param name the lock
     * @param owner who holds it
     * @param label who that is
     * @param token its token
     * @param deadlineNanos when the hold ends unless it does before, in ns of lease time
     * @param reason why, for people
     * @param by who revokes it, for people; may be empty
     */
    record Revoking(
            LockName name, Owner owner, String label, FencingToken token, long deadlineNanos, String reason, String by)
            implements Event {}

    /**
     * A hold ended.
     *
     * @param name the lock
     * @param owner who held it
     * @param label who that is
     * @param token the token it had
     * @param how {@link End#RELEASED}, {@link End#EXPIRED} or {@link End#REVOKED}
     */
    record HoldEnded(LockName name, Owner owner, String label, FencingToken token, End how) implements Event {}

    /**
     * A holder gave some of its permits back, and keeps others.
     *
     * @param name the semaphore
     * @param owner who holds it
     * @param label who that is
     * @param token the token of the hold, which goes on
     * @param permits how many it gave back
     * @param left how many it has yet
     */
    record PermitsReleased(LockName name, Owner owner, String label, FencingToken token, int permits, int left)
            implements Event {}

    /**
     * A waiter joined the queue.
     *
     * @param name the lock
     * @param owner who waits
     * @param label who that is
     * @param mode how it wants the lock
     */
    record Queued(LockName name, Owner owner, String label, Mode mode) implements Event {}

    /**
     * A waiter left the queue without the lock.
     *
     * @param name the lock
     * @param owner who waited
     * @param label who that is
     * @param how {@link End#EXPIRED}, {@link End#TIMED_OUT} or {@link End#GAVE_UP}
     */
    record LeftQueue(LockName name, Owner owner, String label, End how) implements Event {}

    /**
     * A session was opened.
     *
     * @param session the session
     * @param label who that is
     */
    record SessionOpened(SessionId session, String label) implements Event {}

    /**
     * A session ended, and all it held or waited for with it.
     *
     * @param session the session
     * @param label who that is
     * @param how {@link End#RELEASED} if it was closed, {@link End#EXPIRED} if its lease ran out
     */
    record SessionEnded(SessionId session, String label, End how) implements Event {}

    /** {@return the lock in question; empty of a session's beginning and end} */
    default Optional<LockName> lock() {
        return switch (this) {
            case Acquired it -> Optional.of(it.name);
            case ValueChanged it -> Optional.of(it.name);
            case Converted it -> Optional.of(it.name);
            case HandedOff it -> Optional.of(it.name);
            case Revoking it -> Optional.of(it.name);
            case HoldEnded it -> Optional.of(it.name);
            case PermitsReleased it -> Optional.of(it.name);
            case Queued it -> Optional.of(it.name);
            case LeftQueue it -> Optional.of(it.name);
            case SessionOpened it -> Optional.empty();
            case SessionEnded it -> Optional.empty();
        };
    }

    /**
     * Tells whether the event belongs to what somebody watches.
     *
     * @param prefix how the names of the locks begin; empty for all events, those of sessions among them
     * @return whether it does
     */
    default boolean isAbout(String prefix) {
        return prefix.isEmpty()
                || lock().filter(name -> name.value().startsWith(prefix)).isPresent();
    }
}
