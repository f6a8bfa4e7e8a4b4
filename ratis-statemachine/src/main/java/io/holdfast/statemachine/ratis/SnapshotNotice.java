package io.holdfast.statemachine.ratis;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Ratis is told and asked around a new snapshot. Not on its applying thread: that is the one which heeds it. */
final class SnapshotNotice {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotNotice.class);
    private static final long PATIENCE_MILLIS = 10_000;

    private SnapshotNotice() {}

    /** Makes Ratis ask the state machine for its newest snapshot, and purge its log up to there. */
    static void send(RaftServer server, RaftGroupId groupId) {
        try {
            RaftClientReply reply = server.snapshotManagementAsync(SnapshotManagementRequest.newCreate(
                            ClientId.randomId(), server.getId(), groupId, 1, PATIENCE_MILLIS))
                    .get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            if (!reply.isSuccess()) {
                LOG.info("Raft does not purge its log yet: {}", StartChecks.reason(reply.getException()));
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("Raft does not purge its log yet: {}", StartChecks.reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether this node leads, and a follower needs what is in no log any more. It may be receiving any of the snapshots. */
    static boolean isSending(RaftServer server, RaftGroupId groupId) {
        try {
            RaftServer.Division division = server.getDivision(groupId);
            long start = division.getRaftLog().getStartIndex();
            return division.getInfo().isLeader()
                    && Arrays.stream(division.getInfo().getFollowerNextIndices())
                            .anyMatch(next -> next < start);
        } catch (IOException e) {
            LOG.debug("Raft is closed", e);
            return false;
        }
    }
}
