package io.holdfast.server.config;

import java.time.Duration;

/**
 * What the gRPC front door bears.
 *
 * @param maxRequestBytes largest request
 * @param maxConnections most connections at a time; more are closed at once
 * @param maxCallsPerConnection most calls under way on one connection; more wait at the client
 * @param leaderWait how long a request waits for a leader, while one is elected, before it is refused
 * @param forwardTimeout how long a request that was passed on to the leader may take, besides the time for which it asked to wait
 */
public record GrpcConfig(
        int maxRequestBytes,
        int maxConnections,
        int maxCallsPerConnection,
        Duration leaderWait,
        Duration forwardTimeout) {}
