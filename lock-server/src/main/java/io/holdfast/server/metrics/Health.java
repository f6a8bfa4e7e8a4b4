package io.holdfast.server.metrics;

import java.util.Optional;

/**
 * Whether a node can serve, for load balancers and for people.
 *
 * @param node its id
 * @param isServing whether requests sent to it can be served now
 * @param leader the leader that it knows, if any
 * @param trouble what keeps it from serving or soon may, in words; empty if nothing does
 */
public record Health(String node, boolean isServing, Optional<String> leader, Optional<String> trouble) {}
