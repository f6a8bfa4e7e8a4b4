package io.holdfast.client;

import java.util.List;

/**
 * What became of one lock, as far as the store remembers.
 *
 * @param events its latest events, oldest first; which of its entry's events each is, is not told
 * @param firstIndex all events of entries from this log index on are remembered
 */
public record History(List<LockEvent> events, long firstIndex) {
    /** Copies the list. */
    public History {
        events = List.copyOf(events);
    }
}
