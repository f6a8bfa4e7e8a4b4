package io.holdfast.statemachine.ratis;

/** Learns that this replica has stopped for good: the process should say why and exit. */
@FunctionalInterface
public interface FatalListener {
    /**
     * The replica has stopped.
     *
     * @param reason why, in one line for an operator
     */
    void onFatal(String reason);
}
