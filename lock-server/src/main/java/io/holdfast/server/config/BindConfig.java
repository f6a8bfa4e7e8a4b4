package io.holdfast.server.config;

/**
 * Where this node listens, if that is not where others reach it.
 *
 * @param client for clients
 * @param raft for the other members
 */
public record BindConfig(HostPort client, HostPort raft) {}
