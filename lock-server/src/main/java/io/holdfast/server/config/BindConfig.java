package io.holdfast.server.config;

import java.util.Optional;

/**
 * Where this node listens, if that is not where others reach it.
 *
 * @param client for clients
 * @param raft for the other members
 * @param metrics for whoever collects metrics, by HTTP; empty: nowhere
 */
public record BindConfig(HostPort client, HostPort raft, Optional<HostPort> metrics) {}
