package io.holdfast.core;

import java.util.List;

/**
 * What a session has.
 *
 * @param session the session
 * @param holds the first of the locks that it holds, by name
 * @param waits the first of the locks that it waits for, by name
 */
public record SessionClaims(SessionView session, List<HoldView> holds, List<LockName> waits) {
    /** Copies the lists. */
    public SessionClaims {
        holds = List.copyOf(holds);
        waits = List.copyOf(waits);
    }
}
