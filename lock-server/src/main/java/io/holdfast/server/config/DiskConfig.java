package io.holdfast.server.config;

/**
 * What a node leaves of its disk.
 *
 * @param reserve bytes that must be free; with less the node takes no more requests
 */
public record DiskConfig(long reserve) {}
