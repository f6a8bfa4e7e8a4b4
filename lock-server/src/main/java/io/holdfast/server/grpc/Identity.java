package io.holdfast.server.grpc;

/**
 * Who answers.
 *
 * @param cluster name of the cluster
 * @param nodeId id of the node
 * @param version version of the software
 * @param maxFeatureLevel the highest feature level to which the node lets the cluster be raised
 */
public record Identity(String cluster, String nodeId, String version, int maxFeatureLevel) {}
