package io.holdfast.server.config;

/**
 * How far a node goes along with an upgrade of the cluster.
 *
 * @param maxFeatureLevel the highest feature level to which it lets the cluster be raised
 */
public record UpgradeConfig(int maxFeatureLevel) {}
