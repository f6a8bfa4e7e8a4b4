package io.holdfast.client;

/**
 * What to watch, and from where.
 *
 * @param target a lock's name, or how the names of locks begin
 * @param isPrefix whether it is a beginning; an empty one stands for all locks, and for all sessions
 * @param fromIndex the log index to begin with, past or to come; 0 to begin with what happens from now on
 */
public record WatchRequest(String target, boolean isPrefix, long fromIndex) {
    /** Refuses a negative index. */
    public WatchRequest {
        if (fromIndex < 0) {
            throw new HoldfastException.InvalidArgument(
                    "from_index", "from_index is " + fromIndex + "; it must be 0 or more");
        }
    }

    /**
     * One lock, from now on.
     *
     * @param name the lock
     * @return the request
     */
    public static WatchRequest ofName(String name) {
        return new WatchRequest(name, false, 0);
    }

    /**
     * All locks whose names begin alike, from now on.
     *
     * @param prefix how they begin; empty for all locks, and for all sessions
     * @return the request
     */
    public static WatchRequest ofPrefix(String prefix) {
        return new WatchRequest(prefix, true, 0);
    }

    /**
     * The same from another place on.
     *
     * @param logIndex the log index to begin with
     * @return the request
     */
    public WatchRequest from(long logIndex) {
        return new WatchRequest(target, isPrefix, logIndex);
    }
}
