package io.holdfast.core;

import org.jspecify.annotations.Nullable;

/**
 * What a command finds when it arrives: only what lives.
 *
 * @param session the session that asks, if it is one
 * @param lock the lock in question, if anybody holds it or waits for it
 * @param hold the owner's hold of it, if it has one
 * @param waiter the owner's place in its queue, if it has one
 */
record Scene(
        Lease.@Nullable OfSession session,
        @Nullable Lock lock,
        @Nullable Hold hold,
        @Nullable Waiter waiter) {
    static Scene of(Lease.@Nullable OfSession session, @Nullable Lock lock, Owner owner) {
        return lock == null
                ? new Scene(session, null, null, null)
                : new Scene(session, lock, lock.holders.of(owner), lock.queue.of(owner));
    }

    /** Whether the owner holds or waits for the lock. */
    boolean isKnown() {
        return hold != null || waiter != null;
    }
}
