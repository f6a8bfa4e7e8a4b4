package io.holdfast.core;

import java.util.List;
import java.util.Optional;

/** Who held a lock at some moment. */
public sealed interface HeldAt {
    /**
     * It is known.
     *
     * @param holds who held it, in order of tokens; nobody if there is none
     */
    record Known(List<PastHold> holds) implements HeldAt {
        /** Copies the list. */
        public Known {
            holds = List.copyOf(holds);
        }
    }

    /**
     * It is forgotten.
     *
     * @param firstIndex who held it after the entry before this log index, and since, is known
     */
    record TooOld(long firstIndex) implements HeldAt {}

    /** It has not come to that yet. */
    record NotYet() implements HeldAt {}

    /**
     * One who held it. The entry that granted it is told by the token.
     *
     * @param owner who held it
     * @param label who that is, for people; may be empty
     * @param token the token of the hold
     * @param ending how it ended; empty while it has not
     */
    record PastHold(Owner owner, String label, FencingToken token, Optional<Ending> ending) {}

    /**
     * How a hold ended.
     *
     * @param how how
     * @param logIndex the index of the entry that ended it
     * @param leaseTimeNanos when, in ns of lease time
     */
    record Ending(End how, long logIndex, long leaseTimeNanos) {}
}
