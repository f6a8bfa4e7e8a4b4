package io.holdfast.server.proposer;

import io.holdfast.core.LockTable;
import java.util.OptionalLong;
import java.util.function.Function;

/** The state of this node, for reads that may be stale: a port that the Raft node fills. */
public interface Replica {
    /**
     * Reads the state with the table held still.
     *
     * @param <T> what is read
     * @param query reads the table and keeps no reference to it
     * @return what it read
     */
    <T> T read(Function<LockTable, T> query);

    /**
     * Tells how old the state may be that is read after this call.
     *
     * @return ms since this node last heard that its state was the newest; empty if it does not know
     */
    OptionalLong ageMillis();
}
