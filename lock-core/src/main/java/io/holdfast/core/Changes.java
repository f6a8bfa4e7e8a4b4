package io.holdfast.core;

import java.util.List;

/**
 * What changed in a lock table since the last time that its changes were taken. A snapshot that held the state of then holds the state of now once it has stored what is present and deleted what is gone.
 *
 * @param store the store as a whole, which replaces what there was
 * @param present records that are new or have changed, in order of their keys
 * @param gone keys whose records must be deleted, in order; none of them is among the keys of {@code present}
 * @param firstFinished finished requests with lower ordinals are forgotten: their records must be deleted
 * @param firstEnded ended sessions with lower ordinals are forgotten: their records must be deleted
 * @param firstEvent events with lower ordinals are forgotten: their records must be deleted
 */
public record Changes(
        StoreImage store,
        List<Image> present,
        List<ImageKey> gone,
        long firstFinished,
        long firstEnded,
        long firstEvent) {
    /** Copies the lists. Refuses ordinals below 1. */
    public Changes {
        Checks.atLeast(1, firstFinished, "first ordinal");
        Checks.atLeast(1, firstEnded, "first ordinal");
        Checks.atLeast(1, firstEvent, "first ordinal");
        present = List.copyOf(present);
        gone = List.copyOf(gone);
    }
}
