package io.holdfast.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Who held a lock at some moment. The store remembers the latest events only. */
public sealed interface PastHolders {
    /**
     * It is known.
     *
     * @param holds who held it, in order of tokens; nobody if there is none
     */
    record Known(List<PastHold> holds) implements PastHolders {
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
    record TooOld(long firstIndex) implements PastHolders {}

    /** It has not come to that yet. */
    record NotYet() implements PastHolders {}

    /**
     * One who held it.
     *
     * @param owner the owner of a one-shot lease, or the session's id in hexadecimal
     * @param isSession whether {@code owner} is a session
     * @param ownerLabel who that is, for people; may be empty
     * @param token the token of the hold; divided by 65,536 it is the log index of the entry that granted it
     * @param ending how it ended; empty while it is held
     */
    record PastHold(String owner, boolean isSession, String ownerLabel, long token, Optional<Ending> ending) {}

    /**
     * How a hold ended.
     *
     * @param how RELEASED, EXPIRED, REVOKED, CONVERTED or HANDED_OFF
     * @param logIndex the log index of the entry that ended it
     * @param ago how long ago that was, in lease time
     */
    record Ending(String how, long logIndex, Duration ago) {}
}
