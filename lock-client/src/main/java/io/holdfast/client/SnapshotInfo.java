package io.holdfast.client;

/**
 * A snapshot that a node took.
 *
 * @param nodeId the node
 * @param term term of the last entry in it
 * @param index log index of the last entry in it
 * @param isNew false if the node had one at this index already
 * @param bytes how much room it takes on the node's disk; snapshots share what did not change between them
 */
public record SnapshotInfo(String nodeId, long term, long index, boolean isNew, long bytes) {}
