package io.holdfast.statemachine.ratis;

/**
 * The newest snapshot of a node.
 *
 * @param term term of the last entry in it
 * @param index log index of that entry
 * @param isNew false if there was one at this index already
 * @param changes how many records had changed since the one before; 0 if it is not new
 * @param blockedNanos for how long applying waited, in ns
 * @param tookNanos how long it took as a whole, in ns
 * @param bytes the size of its files, of which it shares the most with others
 */
public record SnapshotTaken(
        long term, long index, boolean isNew, int changes, long blockedNanos, long tookNanos, long bytes) {}
