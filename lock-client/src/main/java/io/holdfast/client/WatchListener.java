package io.holdfast.client;

/** Hears what a watch tells. Called on the watch's own thread, one call at a time; a slow listener slows nobody else. */
public interface WatchListener {
    /**
     * Something happened.
     *
     * @param event what; each comes once, in log order, whatever nodes die
     */
    void happened(LockEvent event);

    /**
     * The node that told events is lost; the watch looks for another, and will miss nothing.
     *
     * @param reason why, for people
     */
    default void interrupted(String reason) {}

    /**
     * The watch has ended by itself, and nothing more comes.
     *
     * @param failure why: {@link HoldfastException.TooOld} if events are lost for good, {@link HoldfastException.Unavailable} if no node answered at the beginning
     */
    void ended(HoldfastException failure);
}
