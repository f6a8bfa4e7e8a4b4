package io.holdfast.client;

/** Hears who leads an election. Called on the watch's own thread, one call at a time. */
public interface ElectionListener {
    /**
     * Somebody leads: the present leader first, if there is one; then each change of leader, value or token.
     *
     * @param leader who leads now
     */
    void leads(Leader leader);

    /** Nobody leads, at the beginning or from now on. */
    void vacant();

    /**
     * The node that told of it is lost; the watch looks for another.
     *
     * @param reason why, for people
     */
    default void interrupted(String reason) {}

    /**
     * The watch has ended by itself, and nothing more comes.
     *
     * @param failure why
     */
    void ended(HoldfastException failure);
}
