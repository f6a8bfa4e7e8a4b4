package io.holdfast.client;

import java.time.Duration;

/**
 * A session, as the store saw it when it answered.
 *
 * @param id its id, 32 hexadecimal digits. Whoever knows it may release, renew and close; empty where the store does not tell it
 * @param handle names the session to people and gives no power over it, 16 hexadecimal digits
 * @param ownerLabel who it is, for people
 * @param ttl its TTL
 * @param remaining what was left of its lease, in lease time
 * @param holds how many locks it holds
 * @param waits how many it waits for
 */
public record SessionInfo(
        String id, String handle, String ownerLabel, Duration ttl, Duration remaining, int holds, int waits) {}
