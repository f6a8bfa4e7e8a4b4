package io.holdfast.client;

import java.time.Duration;
import java.util.Optional;

/**
 * Who holds a lock, as the store saw it when it answered.
 *
 * @param name the lock
 * @param owner the owner of a one-shot lease, or the session's id in hexadecimal
 * @param isSession whether {@code owner} is a session
 * @param ownerLabel who that is, for people; may be empty
 * @param token the fencing token of the grant
 * @param logIndex the log index of the entry that granted it
 * @param ttl the TTL of the lease
 * @param held since when, in lease time
 * @param remaining what was left of the lease, in lease time
 * @param terms in which mode, with which value and lock-delay
 * @param notice that it is revoked, if it is
 */
public record Holder(
        String name,
        String owner,
        boolean isSession,
        String ownerLabel,
        long token,
        long logIndex,
        Duration ttl,
        Duration held,
        Duration remaining,
        Terms terms,
        Optional<Notice> notice) {}
