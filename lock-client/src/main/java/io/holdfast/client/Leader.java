package io.holdfast.client;

/**
 * Who leads an election: who holds its lock.
 *
 * @param name the election
 * @param value what the leader publishes; may be empty
 * @param owner who leads
 * @param isSession whether the owner is a session; then {@code owner} is its id, 32 hexadecimal digits
 * @param ownerLabel who that is, for people
 * @param token the leader's fencing token: greater than that of any leader before
 * @param logIndex the log index at which it was so
 */
public record Leader(
        String name, String value, String owner, boolean isSession, String ownerLabel, long token, long logIndex) {}
