package io.holdfast.statemachine.ratis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.client.api.GroupManagementApi;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.LogInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.util.NetUtils;
import org.apache.ratis.util.ProtoUtils;
import org.apache.ratis.util.TimeDuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks other nodes, at their Raft ports, what they have of the cluster, and a leader to change the members. Stays connected until it is closed. Thread safe. */
final class Probe implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Probe.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final RaftGroupId groupId;
    private final RaftProperties properties = new RaftProperties();

    // A client costs much more than a question.
    private final Map<RaftNodeConfig.Member, RaftClient> clients = new ConcurrentHashMap<>();

    /**
     * Makes ready to ask.
     *
     * @param config names the cluster
     */
    Probe(RaftNodeConfig config) {
        this.groupId = RaftSettings.groupId(config);
        RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
        RaftClientConfigKeys.Rpc.setRequestTimeout(properties, millis(TIMEOUT));
    }

    /** {@return what each of them answers, by node id} */
    Map<String, Sighting> look(Collection<RaftNodeConfig.Member> nodes) {
        Map<String, CompletableFuture<Sighting>> looks = new TreeMap<>();
        for (RaftNodeConfig.Member node : nodes) {
            looks.put(
                    node.nodeId(),
                    CompletableFuture.supplyAsync(
                            () -> look(node),
                            task -> Thread.ofVirtual().name("holdfast-probe").start(task)));
        }
        Map<String, Sighting> sightings = new TreeMap<>();
        looks.forEach((nodeId, look) -> sightings.put(nodeId, look.join()));
        return sightings;
    }

    /** {@return what it answers} */
    Sighting look(RaftNodeConfig.Member node) {
        RaftPeer peer = Peers.of(node);
        try {
            if (!clients.containsKey(node)) {
                knock(node);
            }
            return sighting(clients.computeIfAbsent(node, it -> client(List.of(peer), peer, properties)), peer);
        } catch (IOException | RuntimeException e) {
            hangUp(node);
            return new Sighting.Silent(StartChecks.reason(e));
        }
    }

    /** The next question goes by another connection: the node may be another by then. */
    private void hangUp(RaftNodeConfig.Member node) {
        RaftClient client = clients.remove(node);
        if (client != null) {
            close(client);
        }
    }

    private static void close(RaftClient client) {
        try {
            client.close();
        } catch (IOException | RuntimeException e) {
            LOG.debug("Could not hang up", e);
        }
    }

    /**
     * Asks a leader to change the members, from some that it has now to others. It looks at nothing but whether it has those, and leads.
     *
     * @param leaderId whom to ask, one of {@code before}
     * @throws IOException if it refuses, or nothing is known of what became of it
     */
    void change(
            String leaderId, List<RaftNodeConfig.Member> before, List<RaftNodeConfig.Member> after, Duration patience)
            throws IOException {
        List<RaftPeer> present = before.stream().map(Peers::of).toList();
        RaftPeer leader = present.stream()
                .filter(peer -> peer.getId().toString().equals(leaderId))
                .findFirst()
                .orElseThrow();
        RaftProperties patient = new RaftProperties(properties);
        RaftClientConfigKeys.Rpc.setRequestTimeout(patient, millis(patience));
        try (RaftClient client = client(present, leader, patient)) {
            RaftClientReply reply = client.admin()
                    .setConfiguration(SetConfigurationRequest.Arguments.newBuilder()
                            .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                            .setServersInCurrentConf(present)
                            .setServersInNewConf(after.stream().map(Peers::of).toList())
                            .build());
            if (!reply.isSuccess()) {
                throw new IOException(StartChecks.reason(reply.getException()), reply.getException());
            }
        }
    }

    private RaftClient client(List<RaftPeer> peers, RaftPeer first, RaftProperties with) {
        return RaftClient.newBuilder()
                .setRaftGroup(RaftGroup.valueOf(groupId, peers))
                .setLeaderId(first.getId())
                .setProperties(with)
                .setRetryPolicy(RetryPolicies.noRetry())
                .build();
    }

    /** A port that nobody listens at is told at once, and without the cost of a client. */
    private void knock(RaftNodeConfig.Member node) throws IOException {
        InetSocketAddress address = NetUtils.createSocketAddr(node.raftAddress());
        try (Socket socket = new Socket()) {
            socket.connect(address, Math.toIntExact(TIMEOUT.toMillis()));
        }
    }

    private Sighting sighting(RaftClient client, RaftPeer peer) throws IOException {
        GroupManagementApi node = client.getGroupManagementApi(peer.getId());
        // Asked for a group it does not have, it answers with an error that gRPC does not tell from others.
        List<RaftGroupId> groups = node.list().getGroupIds();
        if (groups.contains(groupId)) {
            return present(peer, node.info(groupId));
        }
        return groups.isEmpty() ? new Sighting.Empty() : new Sighting.Silent("it is a node of another cluster");
    }

    private static Sighting.Present present(RaftPeer peer, GroupInfoReply part) {
        RaftConfigurationProto members = part.getConf().orElseGet(RaftConfigurationProto::getDefaultInstance);
        LogInfoProto log = part.getLogInfoProto();
        return new Sighting.Present(
                peer.getId().toString(),
                members(members.getPeersList()),
                members(members.getOldPeersList()),
                log.hasLastEntry() || log.hasLastSnapshot(),
                part.getRoleInfoProto().getRole() == RaftPeerRole.LEADER);
    }

    private static List<RaftNodeConfig.Member> members(List<RaftPeerProto> peers) {
        return Peers.members(ProtoUtils.toRaftPeers(peers));
    }

    @Override
    public void close() {
        List.copyOf(clients.keySet()).forEach(this::hangUp);
    }

    private static TimeDuration millis(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
