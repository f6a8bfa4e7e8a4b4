package io.holdfast.core;

/** What changed, for those who watch. In order of effect. */
public sealed interface Event {
    /**
     * A lock was granted.
     *
     * @param name the lock
     * @param owner its new holder
     * @param token the token of the grant
     * @param mode alone or together with others
     * @param value what the holder publishes; may be empty
     */
    record Acquired(LockName name, Owner owner, FencingToken token, Mode mode, String value) implements Event {}

    /**
     * A holder publishes another value.
     *
     * @param name the lock
     * @param owner who holds it
     * @param token its token
     * @param value the value; may be empty
     */
    record ValueChanged(LockName name, Owner owner, FencingToken token, String value) implements Event {}

    /**
     * A hold changed its mode, with no gap in between.
     *
     * @param name the lock
     * @param owner who holds it
     * @param before the token it had; dead from this index on
     * @param token the token it has now
     * @param mode the mode it has now
     */
    record Converted(LockName name, Owner owner, FencingToken before, FencingToken token, Mode mode) implements Event {}

    /**
     * A holder passed its lock on, with no gap in between.
     *
     * @param name the lock
     * @param from who held it
     * @param before the token it had; dead from this index on
     * @param to who holds it now
     * @param token the token of the new hold
     * @param mode alone or together with others
     * @param value what the new holder publishes; may be empty
     */
    record HandedOff(
            LockName name, Owner from, FencingToken before, Owner to, FencingToken token, Mode mode, String value)
            implements Event {}

    /**
     * A hold is revoked: its holder should stop.
     *
     * @param name the lock
     * @param owner who holds it
     * @param token its token
     * @param deadlineNanos when the hold ends unless it does before, in ns of lease time
     * @param reason why, for people
     * @param by who revokes it, for people; may be empty
     */
    record Revoking(LockName name, Owner owner, FencingToken token, long deadlineNanos, String reason, String by)
            implements Event {}

    /**
     * A hold ended.
     *
     * @param name the lock
     * @param owner who held it
     * @param token the token it had
     * @param how {@link End#RELEASED}, {@link End#EXPIRED} or {@link End#REVOKED}
     */
    record HoldEnded(LockName name, Owner owner, FencingToken token, End how) implements Event {}

    /**
     * A holder gave some of its permits back, and keeps others.
     *
     * @param name the semaphore
     * @param owner who holds it
     * @param token the token of the hold, which goes on
     * @param permits how many it gave back
     * @param left how many it has yet
     */
    record PermitsReleased(LockName name, Owner owner, FencingToken token, int permits, int left) implements Event {}

    /**
     * A waiter joined the queue.
     *
     * @param name the lock
     * @param owner who waits
     * @param mode how it wants the lock
     */
    record Queued(LockName name, Owner owner, Mode mode) implements Event {}

    /**
     * A waiter left the queue without the lock.
     *
     * @param name the lock
     * @param owner who waited
     * @param how why it left
     */
    record LeftQueue(LockName name, Owner owner, End how) implements Event {}

    /**
     * A session was opened.
     *
     * @param session the session
     */
    record SessionOpened(SessionId session) implements Event {}

    /**
     * A session ended, and all it held or waited for with it.
     *
     * @param session the session
     * @param how {@link End#RELEASED} if it was closed, {@link End#EXPIRED} if its lease ran out
     */
    record SessionEnded(SessionId session, End how) implements Event {}
}
