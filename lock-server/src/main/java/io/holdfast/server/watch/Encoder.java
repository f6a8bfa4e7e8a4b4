package io.holdfast.server.watch;

/**
 * How a front door writes what watchers are sent. A message is its head, followed by its events: each is written once, however many watchers see it. Called on the hub's thread.
 */
public interface Encoder {
    /**
     * Writes an event.
     *
     * @param told the event
     * @return its bytes, as a part of any message
     */
    byte[] event(Told told);

    /**
     * Begins a message.
     *
     * @param completeTo the log index up to which, with this message, all has been told
     * @return its first bytes, a message by themselves if no event follows
     */
    byte[] head(long completeTo);
}
