package io.holdfast.core;

/**
 * What a snapshot keeps of the store as a whole.
 *
 * @param appliedIndex the index of the last entry applied; 0 if there was none
 * @param clockNanos lease time, in ns since the cluster began, ≥ 0
 * @param lastToken the last fencing token given out; 0 if there was none
 * @param lastSequence the number of the last lease or waiter made; 0 if there was none
 * @param featureLevel the feature level of the store, ≥ 1
 * @param finished the memory of finished requests
 * @param ended the memory of ended sessions
 * @param events the memory of events
 */
public record StoreImage(
        long appliedIndex,
        long clockNanos,
        long lastToken,
        long lastSequence,
        int featureLevel,
        Memory finished,
        Memory ended,
        Events events) {
    /** What a snapshot of a new store would keep. */
    public static final StoreImage NEW =
            new StoreImage(0, 0, 0, 0, 1, new Memory(0, -1), new Memory(0, -1), Events.NONE);

    /** Refuses numbers out of range. */
    public StoreImage {
        Checks.atLeast(0, appliedIndex, "applied index");
        Checks.atLeast(0, clockNanos, "lease time");
        Checks.atLeast(0, lastToken, "last token");
        Checks.atLeast(0, lastSequence, "last sequence");
        Checks.atLeast(1, featureLevel, "feature level");
    }

    /**
     * A bounded memory of what has finished.
     *
     * @param lastOrdinal the ordinal of what finished last; 0 if nothing did yet
     * @param crowdedOutUpToNanos when the latest finished that was forgotten for lack of room, in ns of lease time; −1 if none was
     */
    public record Memory(long lastOrdinal, long crowdedOutUpToNanos) {
        /** Refuses numbers out of range. */
        public Memory {
            Checks.atLeast(0, lastOrdinal, "last ordinal");
            Checks.atLeast(-1, crowdedOutUpToNanos, "crowded out up to");
        }
    }

    /**
     * The memory of events.
     *
     * @param lastOrdinal the ordinal of the last event; 0 if there was none
     * @param forgottenUpToIndex of the events of entries up to this log index some are forgotten or were not kept; 0 if all are there
     * @param forgottenUpToNanos the lease time of that entry, in ns
     */
    public record Events(long lastOrdinal, long forgottenUpToIndex, long forgottenUpToNanos) {
        /** That of a store that keeps none, as in feature level 1. */
        public static final Events NONE = new Events(0, 0, 0);

        /** Refuses numbers out of range. */
        public Events {
            Checks.atLeast(0, lastOrdinal, "last ordinal");
            Checks.atLeast(0, forgottenUpToIndex, "forgotten up to");
            Checks.atLeast(0, forgottenUpToNanos, "forgotten up to");
        }
    }

    /**
     * The same store at a later log index, as a cluster needs it that begins a new log: its indexes, and the tokens made of them, must exceed all that the lost log may have reached.
     *
     * @param index the index, not below the present one
     * @return a copy with that applied index
     * @throws IllegalArgumentException if the index is lower
     */
    public StoreImage at(long index) {
        Checks.atLeast(appliedIndex, index, "applied index");
        return new StoreImage(index, clockNanos, lastToken, lastSequence, featureLevel, finished, ended, events);
    }
}
