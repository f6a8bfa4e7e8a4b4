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
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.util.NetUtils;
import org.apache.ratis.util.TimeDuration;

/** Asks other nodes at their Raft ports what they have of the cluster. Changes nothing. Thread safe. */
final class Probe {
    private final RaftGroupId groupId;
    private final Duration timeout;
    private final RaftProperties properties = new RaftProperties();

    /**
     * Makes ready to ask.
     *
     * @param config names the cluster
     * @param timeout how long to wait for each answer
     */
    Probe(RaftNodeConfig config, Duration timeout) {
        this.groupId = RaftSettings.groupId(config);
        this.timeout = timeout;
        RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
        RaftClientConfigKeys.Rpc.setRequestTimeout(
                properties, TimeDuration.valueOf(timeout.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** {@return what each of them answers, by node id} */
    Map<String, Sighting> look(Collection<RaftNodeConfig.Member> nodes) {
        Map<String, CompletableFuture<Sighting>> looks = new TreeMap<>();
        for (RaftNodeConfig.Member node : nodes) {
            CompletableFuture<Sighting> look = new CompletableFuture<>();
            Thread.ofVirtual().name("holdfast-probe").start(() -> look.complete(look(node)));
            looks.put(node.nodeId(), look);
        }
        Map<String, Sighting> sightings = new TreeMap<>();
        looks.forEach((nodeId, look) -> sightings.put(nodeId, look.join()));
        return sightings;
    }

    /** {@return what it answers} */
    Sighting look(RaftNodeConfig.Member node) {
        RaftPeer peer = Peers.of(node);
        try {
            knock(node);
            try (RaftClient client = RaftClient.newBuilder()
                    .setRaftGroup(RaftGroup.valueOf(groupId, peer))
                    .setLeaderId(peer.getId())
                    .setProperties(properties)
                    .setRetryPolicy(RetryPolicies.noRetry())
                    .build()) {
                return sighting(client, peer);
            }
        } catch (IOException | RuntimeException e) {
            return new Sighting.Silent(StartChecks.reason(e));
        }
    }

    /** A port that nobody listens at is told at once, and without the cost of a client. */
    private void knock(RaftNodeConfig.Member node) throws IOException {
        InetSocketAddress address = NetUtils.createSocketAddr(node.raftAddress());
        try (Socket socket = new Socket()) {
            socket.connect(address, Math.toIntExact(timeout.toMillis()));
        }
    }

    private Sighting sighting(RaftClient client, RaftPeer peer) throws IOException {
        // Asked for a group it does not have, it answers with an error that gRPC does not tell from others.
        List<RaftGroupId> groups =
                client.getGroupManagementApi(peer.getId()).list().getGroupIds();
        if (groups.contains(groupId)) {
            return new Sighting.Present();
        }
        return groups.isEmpty() ? new Sighting.Empty() : new Sighting.Silent("it is a node of another cluster");
    }
}
