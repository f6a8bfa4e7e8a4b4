package io.holdfast.client;

/**
 * That one waits for another.
 *
 * @param waiter who waits: the owner of a one-shot lease, or the session's id in hexadecimal
 * @param waiterIsSession whether {@code waiter} is a session
 * @param waiterLabel who that is, for people; may be empty
 * @param name the lock for which it waits
 * @param blocker whom it waits for
 * @param blockerIsSession whether {@code blocker} is a session
 * @param blockerLabel who that is, for people; may be empty
 * @param isHolder whether that one holds the lock; otherwise it is ahead in the queue
 */
public record WaitEdge(
        String waiter,
        boolean waiterIsSession,
        String waiterLabel,
        String name,
        String blocker,
        boolean blockerIsSession,
        String blockerLabel,
        boolean isHolder) {}
