package io.holdfast.client;

/**
 * A member of the cluster.
 *
 * @param id its node id
 * @param endpoint host:port for clients
 * @param raftAddress host:port where the other members replicate to it
 */
public record MemberInfo(String id, String endpoint, String raftAddress) {}
