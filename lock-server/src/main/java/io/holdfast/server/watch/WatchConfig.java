package io.holdfast.server.watch;

/**
 * What watching may cost.
 *
 * @param maxPerConnection most watchers on one connection
 * @param maxWatchers most watchers of the node
 * @param bufferEvents how many events the node keeps for those who are slow or come back
 */
public record WatchConfig(int maxPerConnection, int maxWatchers, int bufferEvents) {}
