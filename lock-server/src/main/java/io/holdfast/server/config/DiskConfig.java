package io.holdfast.server.config;

/**
 * What a node leaves of its disk.
 *
 * @param reserve bytes that should be free; with less the node hands leadership over and says so
 */
public record DiskConfig(long reserve) {}
