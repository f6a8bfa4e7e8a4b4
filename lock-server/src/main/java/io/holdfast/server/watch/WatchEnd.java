package io.holdfast.server.watch;

/** Why a watch ends, if not by its own watcher. */
public sealed interface WatchEnd {
    /**
     * The place to begin from lies before what this node can tell.
     *
     * @param firstIndex the first log index from which all can be told
     */
    record TooOld(long firstIndex) implements WatchEnd {}

    /**
     * The watcher took its messages so slowly that what it was to be told next is no longer kept for it.
     *
     * @param kept how many events are kept for the slow
     */
    record TooSlow(int kept) implements WatchEnd {}

    /**
     * This node cannot go on telling; another can.
     *
     * @param reason why, in words
     */
    record Interrupted(String reason) implements WatchEnd {}

    /** This node is stopping. */
    record Stopping() implements WatchEnd {}
}
