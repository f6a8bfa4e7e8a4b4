package io.holdfast.statemachine.snapshot;

import io.holdfast.core.Changes;

/**
 * What changed in a replica's table since its last snapshot.
 *
 * @param changes the changes
 * @param term term of the last entry applied, whose log index the changes have
 * @param generation of the table that they were taken from, see {@link Loaded#generation}
 */
public record Batch(Changes changes, long term, long generation) {
    /** {@return log index of the last entry whose effect it has} */
    public long index() {
        return changes.store().appliedIndex();
    }
}
