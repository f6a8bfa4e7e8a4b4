package io.holdfast.client;

import java.time.Duration;

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
        Duration remaining) {}
