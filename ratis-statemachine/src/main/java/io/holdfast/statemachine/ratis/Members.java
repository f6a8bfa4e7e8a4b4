package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.ratis.MembershipResult.Done;
import io.holdfast.statemachine.ratis.MembershipResult.Reason;
import io.holdfast.statemachine.ratis.MembershipResult.Refused;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.protocol.exceptions.SetConfigurationException;
import org.apache.ratis.server.RaftServer;

/** Changes who the members are, one at a time, where this node leads. Looks first whether it can go well: a change that cannot be completed would block the cluster. Thread safe. */
final class Members {
    private final RaftNodeConfig config;
    private final RaftServer server;
    private final RaftGroupId groupId;
    private final CallIds calls;

    Members(RaftNodeConfig config, RaftServer server, CallIds calls) {
        this.config = config;
        this.server = server;
        this.groupId = RaftSettings.groupId(config);
        this.calls = calls;
    }

    List<RaftNodeConfig.Member> current() throws IOException {
        return Peers.members(server.getDivision(groupId).getRaftConf().getCurrentPeers());
    }

    MembershipResult add(RaftNodeConfig.Member added, Duration patience) {
        try {
            List<RaftNodeConfig.Member> before = current();
            Optional<Refused> refused = whyNotAdd(added, before);
            if (refused.isPresent()) {
                return refused.get();
            }
            List<RaftNodeConfig.Member> after = new ArrayList<>(before);
            after.add(added);
            return change(before, after, patience);
        } catch (IOException e) {
            return notLeader();
        }
    }

    private Optional<Refused> whyNotAdd(RaftNodeConfig.Member added, List<RaftNodeConfig.Member> before)
            throws IOException {
        if (!leads()) {
            return Optional.of(notLeader());
        }
        for (RaftNodeConfig.Member member : before) {
            if (member.nodeId().equals(added.nodeId())) {
                return Optional.of(new Refused(
                        Reason.ALREADY_MEMBER,
                        member.equals(added)
                                ? "node " + added.nodeId() + " is a member already"
                                : "there is a member " + member + " already: remove it first"));
            }
            if (member.raftAddress().equals(added.raftAddress())
                    || member.clientAddress().equals(added.clientAddress())) {
                return Optional.of(
                        new Refused(Reason.ADDRESS_TAKEN, "node " + member.nodeId() + " has one of these addresses"));
            }
        }
        List<String> alive = alive(before);
        if (alive.size() + 1 <= (before.size() + 1) / 2) {
            return Optional.of(noMajority(alive, before.size() + 1));
        }
        return switch (look(added)) {
            case Sighting.Silent silent ->
                Optional.of(new Refused(
                        Reason.NO_ANSWER,
                        "node " + added.nodeId() + " does not answer at " + added.raftAddress() + ": " + silent.why()));
            case Sighting.Empty empty ->
                Optional.of(new Refused(
                        Reason.NOT_WAITING,
                        "node " + added.nodeId() + " answers at " + added.raftAddress()
                                + ", and does not wait to be added to cluster " + config.cluster()));
            case Sighting.Present present
            when present.lists(added.nodeId()) ->
                // Of another history perhaps, that no leader could make its own.
                Optional.of(new Refused(
                        Reason.NOT_WAITING,
                        "node " + added.nodeId()
                                + " has data by which it is a member already: start it with --rejoin"));
            case Sighting.Present present -> Optional.empty();
        };
    }

    private Sighting look(RaftNodeConfig.Member added) {
        try (Probe probe = new Probe(config)) {
            return probe.look(added);
        }
    }

    MembershipResult remove(String nodeId, Duration patience) {
        try {
            List<RaftNodeConfig.Member> before = current();
            Optional<Refused> refused = whyNotRemove(nodeId, before);
            if (refused.isPresent()) {
                return refused.get();
            }
            return change(
                    before,
                    before.stream()
                            .filter(member -> !member.nodeId().equals(nodeId))
                            .toList(),
                    patience);
        } catch (IOException e) {
            return notLeader();
        }
    }

    private Optional<Refused> whyNotRemove(String nodeId, List<RaftNodeConfig.Member> before) throws IOException {
        if (!leads()) {
            return Optional.of(notLeader());
        }
        if (before.stream().noneMatch(member -> member.nodeId().equals(nodeId))) {
            return Optional.of(new Refused(Reason.UNKNOWN_MEMBER, "there is no member " + nodeId));
        }
        if (before.size() == 1) {
            return Optional.of(new Refused(Reason.LAST_MEMBER, "node " + nodeId + " is the only member"));
        }
        if (nodeId.equals(config.nodeId())) {
            // Removed, it would leave the others without a leader until they miss it.
            return Optional.of(
                    new Refused(Reason.NOT_LEADER, "node " + nodeId + " leads: leadership must be handed over first"));
        }
        List<String> alive =
                alive(before).stream().filter(id -> !id.equals(nodeId)).toList();
        return alive.size() > (before.size() - 1) / 2
                ? Optional.empty()
                : Optional.of(noMajority(alive, before.size() - 1));
    }

    private MembershipResult change(
            List<RaftNodeConfig.Member> before, List<RaftNodeConfig.Member> after, Duration patience) {
        SetConfigurationRequest request = new SetConfigurationRequest(
                calls.clientId(),
                server.getId(),
                groupId,
                calls.next(),
                SetConfigurationRequest.Arguments.newBuilder()
                        // Another change may have come between our look and this.
                        .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                        .setServersInCurrentConf(peers(before))
                        .setServersInNewConf(peers(after))
                        .build());
        try {
            CompletableFuture<RaftClientReply> reply = server.setConfigurationAsync(request);
            return result(reply.get(patience.toMillis(), TimeUnit.MILLISECONDS), after);
        } catch (IOException e) {
            return refused(e);
        } catch (ExecutionException e) {
            return refused(Objects.requireNonNull(e.getCause()));
        } catch (TimeoutException e) {
            return new Refused(Reason.UNKNOWN, "it is still under way after " + patience.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Refused(Reason.UNKNOWN, "waiting for it was interrupted");
        }
    }

    private static List<RaftPeer> peers(List<RaftNodeConfig.Member> members) {
        return members.stream().map(Peers::of).toList();
    }

    private static MembershipResult result(RaftClientReply reply, List<RaftNodeConfig.Member> after) {
        return reply.isSuccess() ? new Done(after) : refused(reply.getException());
    }

    private static Refused refused(Throwable cause) {
        return switch (cause) {
            case ReconfigurationInProgressException e ->
                new Refused(Reason.BUSY, "another change of the members is under way");
            case SetConfigurationException e ->
                new Refused(Reason.BUSY, "the members have changed meanwhile: " + StartChecks.reason(e));
            case ReconfigurationTimeoutException e ->
                new Refused(Reason.NOT_CAUGHT_UP, "the new node does not catch up, or answers no more");
            case LeaderNotReadyException e ->
                new Refused(Reason.NOT_LEADER, "this node leads only since a moment ago: ask again");
            // It led when it was asked: the change may be in the log of the next leader.
            case NotLeaderException e ->
                new Refused(Reason.UNKNOWN, "this node lost leadership before the change was committed");
            case LeaderSteppingDownException e ->
                new Refused(Reason.UNKNOWN, "this node lost leadership before the change was committed");
            default -> new Refused(Reason.UNKNOWN, "it failed: " + StartChecks.reason(cause));
        };
    }

    private Refused notLeader() {
        return new Refused(Reason.NOT_LEADER, "node " + config.nodeId() + " does not lead");
    }

    private static Refused noMajority(List<String> alive, int members) {
        return new Refused(
                Reason.NO_MAJORITY,
                "of the " + members + " members then, only " + String.join(", ", alive)
                        + (alive.size() == 1 ? " is" : " are") + " known to be alive, which is no majority");
    }

    private boolean leads() throws IOException {
        return server.getDivision(groupId).getInfo().isLeaderReady();
    }

    /** {@return this node, and members that answered a moment ago and still do: a change that one of them is missing for blocks the cluster} */
    private List<String> alive(List<RaftNodeConfig.Member> members) throws IOException {
        Set<String> heard = heardOf();
        List<RaftNodeConfig.Member> asked = members.stream()
                .filter(member -> heard.contains(member.nodeId()))
                .toList();
        Map<String, Sighting> sightings;
        try (Probe probe = new Probe(config)) {
            sightings = probe.look(asked);
        }
        List<String> alive = new ArrayList<>(List.of(config.nodeId()));
        sightings.forEach((nodeId, sighting) -> {
            if (sighting instanceof Sighting.Present) {
                alive.add(nodeId);
            }
        });
        return alive;
    }

    private Set<String> heardOf() throws IOException {
        long recentMillis = 2 * config.electionTimeoutMax().toMillis();
        return server.getDivision(groupId).getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
                .filter(follower -> follower.getLastRpcElapsedTimeMs() <= recentMillis)
                .map(Members::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String id(ServerRpcProto follower) {
        return follower.getId().getId().toStringUtf8();
    }
}
