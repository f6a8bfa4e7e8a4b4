package io.holdfast.statemachine.ratis;

import java.io.IOException;

/** This node was a member of the cluster, and was removed. */
public final class RemovedException extends IOException {
    private static final long serialVersionUID = 1L;

    static final String HOW_TO_COME_BACK =
            "For it to come back, start it with --rejoin, and add it (holdfast cluster add)";

    RemovedException(RaftNodeConfig config) {
        super("Node " + config.nodeId() + " was removed from cluster " + config.cluster() + ". " + HOW_TO_COME_BACK);
    }
}
