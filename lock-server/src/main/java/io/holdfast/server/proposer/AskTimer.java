package io.holdfast.server.proposer;

import java.time.Duration;

/** Runs actions later: a port that the node fills with a scheduler, and a fake in tests. */
@FunctionalInterface
public interface AskTimer {
    /**
     * Plans an action.
     *
     * @param delay how long from now
     * @param action what to do then; must not block
     * @return cancels it, if it has not run
     */
    Runnable after(Duration delay, Runnable action);
}
