package io.holdfast.server.watch;

import io.holdfast.core.Event;

/**
 * An event in its place.
 *
 * @param place where it stands
 * @param leaseTimeNanos the lease time of its entry, in ns
 * @param event what happened
 */
public record Told(Place place, long leaseTimeNanos, Event event) {}
