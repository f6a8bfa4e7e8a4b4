package io.holdfast.server.config;

/**
 * When a node takes a snapshot by itself, and how many it keeps.
 *
 * @param logBytes bytes of log entries applied since the last one after which the next is taken
 * @param changes sessions, locks and waiters changed since the last one after which the next is taken
 * @param keep how many are kept
 */
public record SnapshotConfig(int logBytes, int changes, int keep) {}
