package io.holdfast.core;

import java.util.List;

/** What a watcher is told that asks for events from somewhere on. */
public sealed interface EventsAfter {
    /**
     * The next events.
     *
     * @param events the events, oldest first; fewer than were asked for, or none, at the present
     * @param nextOrdinal where to go on, by {@link LockTable#eventsFrom}
     */
    record Some(List<LoggedEvent> events, long nextOrdinal) implements EventsAfter {
        /** Copies the list. */
        public Some {
            events = List.copyOf(events);
        }
    }

    /**
     * Some of these events are forgotten.
     *
     * @param firstIndex all events of entries from this log index on are there
     */
    record TooOld(long firstIndex) implements EventsAfter {}
}
