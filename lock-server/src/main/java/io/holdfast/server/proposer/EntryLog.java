package io.holdfast.server.proposer;

import io.holdfast.statemachine.codec.Entry;
import java.util.concurrent.CompletableFuture;

/** The replicated log, as the proposer sees it: a port that the Raft node fills, and a fake in tests. */
public interface EntryLog {
    /**
     * Appends an entry, if this node leads.
     *
     * <p>Whether the entry was committed is learnt from {@link Proposer#onApplied}, which comes before this future ends; the future only tells when to stop waiting for that.
     *
     * @param entry the entry
     * @return ends with {@link Fate#COMMITTED} once the entry is applied here; with {@link Fate#REFUSED} if it was certainly not appended; with {@link Fate#UNKNOWN}, or exceptionally, if it may be committed yet
     */
    CompletableFuture<Fate> append(Entry entry);

    /** What became of an entry. */
    enum Fate {
        /** It is in the log of a majority, and applied here. */
        COMMITTED,
        /** It was not appended anywhere, and never will be. */
        REFUSED,
        /** Leadership was lost, or the node stopped, while it was under way: it may be committed yet. */
        UNKNOWN
    }
}
