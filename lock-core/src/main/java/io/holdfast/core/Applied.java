package io.holdfast.core;

import java.util.List;

/**
 * What applying one entry did.
 *
 * @param position the entry's place in the log and the lease time it carried
 * @param outcomes one for each command, in order
 * @param events what changed, in order of effect
 */
public record Applied(Position position, List<Outcome> outcomes, List<Event> events) {
    /** Copies the lists. */
    public Applied {
        outcomes = List.copyOf(outcomes);
        events = List.copyOf(events);
    }
}
