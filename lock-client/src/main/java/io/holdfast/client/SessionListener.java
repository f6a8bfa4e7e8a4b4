package io.holdfast.client;

/** Hears how the renewing of a session goes. Called on the renewing thread: be quick. What it throws is logged and changes nothing. */
public interface SessionListener {
    /**
     * The session must not be believed in any more, nor anything that it holds. Called once, at its deadline at the latest.
     *
     * @param session the session, 32 hexadecimal digits
     * @param reason why, for people
     */
    void lost(String session, String reason);
}
