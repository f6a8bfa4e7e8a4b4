package io.holdfast.server.grpc;

/**
 * Who answers.
 *
 * @param cluster name of the cluster
 * @param nodeId id of the node
 * @param version version of the software
 */
public record Identity(String cluster, String nodeId, String version) {}
