package io.holdfast.server.config;

/**
 * A member of the cluster, as it is at its first start.
 *
 * @param id its node id, unique in the cluster
 * @param client where clients, and other members on behalf of clients, reach it
 * @param raft where the other members reach its Raft port
 */
public record MemberConfig(String id, HostPort client, HostPort raft) {}
