package io.holdfast.server.watch;

/** Where the messages of one watcher go: a port that a front door fills. Called on the hub's thread alone; must not block. */
public interface Outlet {
    /** {@return whether it takes a message now; if not, it calls {@link WatchHub.Watch#ready} once it does} */
    boolean isReady();

    /**
     * Sends a message.
     *
     * @param message its bytes, shared with other watchers: not to be changed
     */
    void send(byte[] message);

    /**
     * Ends the watch; nothing is sent after it.
     *
     * @param why why it ends
     */
    void end(WatchEnd why);
}
