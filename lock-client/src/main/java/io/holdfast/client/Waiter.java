package io.holdfast.client;

import java.time.Duration;
import java.util.Optional;

/**
 * Who waits for a lock, as the store saw it when it answered.
 *
 * @param owner the owner of a one-shot lease, or the session's id in hexadecimal
 * @param isSession whether {@code owner} is a session
 * @param ownerLabel who that is, for people; may be empty
 * @param logIndex the log index of the entry that queued it
 * @param waited since when, in lease time
 * @param waitRemaining how long it will stay yet, in lease time; empty without end
 * @param leaseRemaining what is left of its lease unless it asks again, in lease time
 * @param terms in which mode it wants the lock, with which value and lock-delay
 */
public record Waiter(
        String owner,
        boolean isSession,
        String ownerLabel,
        long logIndex,
        Duration waited,
        Optional<Duration> waitRemaining,
        Duration leaseRemaining,
        Terms terms) {}
