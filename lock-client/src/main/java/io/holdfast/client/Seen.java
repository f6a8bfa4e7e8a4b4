package io.holdfast.client;

import java.time.Duration;
import java.util.Optional;

/**
 * What one node saw, without the leader: it may have been out of date when it answered.
 *
 * @param <T> what was looked at
 * @param value what it saw
 * @param node the id of the node
 * @param appliedIndex the log index at which it was so
 * @param age for how long the answer may have been out of date; empty if the node does not know. It proves nothing: a node that is cut off together with an old leader hears from that one
 */
public record Seen<T>(T value, String node, long appliedIndex, Optional<Duration> age) {}
