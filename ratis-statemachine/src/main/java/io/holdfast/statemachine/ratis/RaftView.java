package io.holdfast.statemachine.ratis;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.LeaderInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How Raft stands, as this node sees it. Proves nothing. Thread safe. */
final class RaftView {
    private static final Logger LOG = LoggerFactory.getLogger(RaftView.class);

    private final RaftNodeConfig config;
    private final RaftServer server;
    private final RaftGroupId groupId;

    RaftView(RaftNodeConfig config, RaftServer server, RaftGroupId groupId) {
        this.config = config;
        this.server = server;
        this.groupId = groupId;
    }

    RaftStatus status() throws IOException {
        RaftServer.Division division = server.getDivision(groupId);
        DivisionInfo info = division.getInfo();
        if (!info.isAlive()) {
            throw new IOException("Raft is closed on node " + config.nodeId());
        }
        return new RaftStatus(
                role(info.getCurrentRole()),
                info.getCurrentTerm(),
                Optional.ofNullable(info.getLeaderId()).map(RaftPeerId::toString),
                info.isLeaderReady(),
                info.getLastAppliedIndex(),
                division.getRaftLog().getLastCommittedIndex(),
                Peers.members(division.getRaftConf().getCurrentPeers()));
    }

    /** The followers, those that answered last first; empty if this node does not lead. */
    List<String> followersByFreshness() {
        try {
            return followers(server.getDivision(groupId)
                            .getInfo()
                            .getRoleInfoProto()
                            .getLeaderInfo())
                    .stream()
                    .map(follower -> follower.getId().getId().toStringUtf8())
                    .toList();
        } catch (IOException e) {
            LOG.debug("Raft is closed", e);
            return List.of();
        }
    }

    private static List<ServerRpcProto> followers(LeaderInfoProto leading) {
        return leading.getFollowerInfoList().stream()
                .sorted(Comparator.comparingLong(ServerRpcProto::getLastRpcElapsedTimeMs))
                .toList();
    }

    /** What this node last heard of how far the cluster is: a follower from its leader, a leader from a majority. */
    Optional<Heard> heard() {
        try {
            RaftServer.Division division = server.getDivision(groupId);
            DivisionInfo info = division.getInfo();
            // First when, then how far: the other way round it would claim too much.
            RoleInfoProto role = info.getRoleInfoProto();
            @Nullable RaftPeerId leader = info.getLeaderId();
            if (!info.isAlive() || leader == null) {
                return Optional.empty();
            }
            return switch (role.getRole()) {
                case LEADER -> heardOfFollowers(division, role.getLeaderInfo());
                case FOLLOWER, LISTENER -> heardOfLeader(division, leader, role);
                case CANDIDATE, UNRECOGNIZED -> Optional.empty();
            };
        } catch (IOException e) {
            LOG.debug("Raft is closed", e);
            return Optional.empty();
        }
    }

    private static Optional<Heard> heardOfFollowers(RaftServer.Division division, LeaderInfoProto leading) {
        List<ServerRpcProto> followers = followers(leading);
        int others = division.getRaftConf().getCurrentPeers().size() - 1;
        int needed = (others + 1) / 2; // with itself, a majority
        if (followers.size() < needed) {
            return Optional.empty();
        }
        long millisAgo = needed == 0 ? 0 : followers.get(needed - 1).getLastRpcElapsedTimeMs();
        return Optional.of(heard(division, millisAgo, division.getRaftLog().getLastCommittedIndex()));
    }

    private static Optional<Heard> heardOfLeader(RaftServer.Division division, RaftPeerId leader, RoleInfoProto role) {
        return division.getCommitInfos().stream()
                .filter(it -> it.getServer().getId().equals(leader.toByteString()))
                .findFirst()
                .map(CommitInfoProto::getCommitIndex)
                .map(committed ->
                        heard(division, role.getFollowerInfo().getLeaderInfo().getLastRpcElapsedTimeMs(), committed));
    }

    private static Heard heard(RaftServer.Division division, long millisAgo, long committed) {
        return new Heard(Math.max(0, millisAgo), committed, division.getInfo().getLastAppliedIndex());
    }

    private static RaftStatus.Role role(RaftPeerRole role) {
        return switch (role) {
            case LEADER -> RaftStatus.Role.LEADER;
            case FOLLOWER, LISTENER -> RaftStatus.Role.FOLLOWER;
            case CANDIDATE, UNRECOGNIZED -> RaftStatus.Role.CANDIDATE;
        };
    }
}
