package io.holdfast.server.watch;

import io.holdfast.core.EventsAfter;
import io.holdfast.core.LockTable;
import java.util.List;

/** Takes into the ring what a table remembers that this node has not applied itself: that of a checkpoint, at the start or from the leader. */
final class Backlog {
    /** Below this a table remembers no events. */
    private static final int LEVEL = 2;

    private final EventRing ring;
    private boolean hasBegun;

    Backlog(EventRing ring) {
        this.ring = ring;
    }

    /** The state is that of another table from now on. Applying thread. */
    void replaced(LockTable table) {
        long applied = table.appliedIndex();
        long told = ring.extent().appliedIndex();
        if (hasBegun && applied >= told && after(table, told) instanceof EventsAfter.Some missed) {
            ring.fill(missed.events(), applied); // nobody notices
            return;
        }
        hasBegun = true;
        long covered = table.featureLevel() < LEVEL ? applied : firstIndex(table) - 1;
        ring.restart(covered, applied);
        if (after(table, covered) instanceof EventsAfter.Some known) {
            ring.fill(known.events(), applied);
        }
    }

    private static long firstIndex(LockTable table) {
        return table.eventsAfter(0, 0) instanceof EventsAfter.TooOld old ? old.firstIndex() : 1;
    }

    private static EventsAfter after(LockTable table, long logIndex) {
        if (table.featureLevel() < LEVEL) {
            return logIndex == table.appliedIndex()
                    ? new EventsAfter.Some(List.of(), table.nextEventOrdinal())
                    : new EventsAfter.TooOld(table.appliedIndex() + 1);
        }
        return table.eventsAfter(logIndex, Integer.MAX_VALUE);
    }
}
