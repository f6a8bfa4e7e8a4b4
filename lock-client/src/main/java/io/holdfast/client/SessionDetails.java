package io.holdfast.client;

import java.util.List;

/**
 * A session with what it holds and waits for, as the store saw it when it answered.
 *
 * @param session the session
 * @param holds the first of its holds, by name
 * @param waits the first of the locks that it waits for, by name
 */
public record SessionDetails(SessionInfo session, List<Holder> holds, List<String> waits) {
    /** Copies the lists. */
    public SessionDetails {
        holds = List.copyOf(holds);
        waits = List.copyOf(waits);
    }
}
