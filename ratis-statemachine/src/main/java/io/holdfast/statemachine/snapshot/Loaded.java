package io.holdfast.statemachine.snapshot;

import io.holdfast.core.LockTable;

/**
 * A table as a replica begins with it.
 *
 * @param table the table
 * @param term term of the last entry that it has; 0 for a new one
 * @param index log index of that entry; 0 for a new one
 * @param generation tells it from tables of the same store that were loaded before: their changes are of no use any more
 */
public record Loaded(LockTable table, long term, long index, long generation) {}
