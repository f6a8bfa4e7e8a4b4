package io.holdfast.statemachine.ratis;

import io.holdfast.core.Applied;
import io.holdfast.core.LockTable;
import io.holdfast.statemachine.codec.Entry;

/**
 * Learns what happens to this replica. Called one at a time, in log order, on the thread that applies, with the table held still; so calls must be quick and must not block.
 */
public interface ReplicaListener {
    /**
     * An entry was applied.
     *
     * @param entry the entry
     * @param applied what it did
     * @param table the state just after it; not to be kept
     */
    void onApplied(Entry entry, Applied applied, LockTable table);

    /**
     * The state is another from now on: that of a checkpoint, at the start, or when this node was so far behind that the leader sent one. What led to it is not told.
     *
     * @param table the state; not to be kept
     */
    default void onReplaced(LockTable table) {}

    /**
     * This node leads, and has applied all entries of earlier terms.
     *
     * @param term the term
     * @param table the state; not to be kept
     */
    void onLeaderReady(long term, LockTable table);

    /** This node does not lead, or no longer. May come from another thread than the others, and more than once. */
    void onNotLeader();
}
