package io.holdfast.core;

import java.util.List;

/**
 * What became of one lock, as far as the store remembers.
 *
 * @param events its latest events, oldest first
 * @param firstIndex all events of entries from this log index on are remembered; if none of the lock's is older than these, there are no others
 */
public record History(List<LoggedEvent> events, long firstIndex) {
    /** Copies the list. */
    public History {
        events = List.copyOf(events);
    }
}
