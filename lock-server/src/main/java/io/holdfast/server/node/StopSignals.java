package io.holdfast.server.node;

import java.util.function.Consumer;

/** Tells a node's process of the signals that are to end it: a port, for the JVM has no public way. */
public interface StopSignals {
    /**
     * From now on, tells of each signal instead of letting it end the process.
     *
     * @param handler gets TERM or INT, on any thread; must be quick
     */
    void tell(Consumer<String> handler);
}
