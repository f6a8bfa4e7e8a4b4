package io.holdfast.statemachine.ratis;

import java.io.IOException;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in one sentence what a disk has failed to do. */
final class DiskFailure {
    private static final Logger LOG = LoggerFactory.getLogger(DiskFailure.class);

    private DiskFailure() {}

    /**
     * Tells of a log that Ratis could not write. Ratis writes nothing to it from then on, and confirms nothing: a write that failed once is not tried again.
     *
     * @param server Ratis
     * @param group the Raft group
     * @param cause what happened
     * @return the sentence, with the folder and the innermost cause
     */
    static String ofLog(@Nullable RaftServer server, RaftGroupId group, Throwable cause) {
        return "The log" + folder(server, group) + " cannot be written: " + StartChecks.reason(cause);
    }

    private static String folder(@Nullable RaftServer server, RaftGroupId group) {
        if (server == null) {
            return "";
        }
        try {
            return " in "
                    + server.getDivision(group).getRaftStorage().getStorageDir().getCurrentDir();
        } catch (IOException e) {
            LOG.debug("The division is gone", e);
            return "";
        }
    }
}
