package io.holdfast.statemachine.ratis;

/** Learns that this replica cannot go on: the process must end, so that whoever supervises it can act. */
@FunctionalInterface
public interface FatalListener {
    /**
     * The replica has stopped for good. Called once at most, on a thread of its own, so closing the node or ending the process from here is allowed.
     *
     * @param reason one sentence, logged already
     */
    void onFatal(String reason);
}
