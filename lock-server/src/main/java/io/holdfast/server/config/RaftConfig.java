package io.holdfast.server.config;

import java.time.Duration;

/**
 * How replication keeps time.
 *
 * @param electionTimeoutMin shortest silence of a leader after which a member stands for election
 * @param electionTimeoutMax longest such silence, and how long a leader leads without hearing from a majority
 */
public record RaftConfig(Duration electionTimeoutMin, Duration electionTimeoutMax) {}
