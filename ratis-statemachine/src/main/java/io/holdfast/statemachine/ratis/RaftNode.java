package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.codec.Entry;
import io.holdfast.statemachine.codec.EntryCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** This node's part in Raft: starts and stops Ratis, appends entries, tells how things stand. Thread safe. */
public final class RaftNode implements AutoCloseable {
    private final RaftNodeConfig config;
    private final RaftGroupId groupId;
    private final RaftServer server;

    // Each request must be new to Ratis' retry cache: one client for the life of the process, counted calls.
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong lastCallId = new AtomicLong();

    private RaftNode(RaftNodeConfig config, RaftGroupId groupId, RaftServer server) {
        this.config = config;
        this.groupId = groupId;
        this.server = server;
    }

    /**
     * Starts Ratis: replays the log into the state machine and joins the other members.
     *
     * @param config who this node and the others are
     * @param stateMachine applies what is committed
     * @return the running node
     * @throws IOException if the folder cannot be used or the port is taken
     */
    public static RaftNode start(RaftNodeConfig config, LockStateMachine stateMachine) throws IOException {
        List<RaftPeer> peers = config.members().stream().map(RaftNode::peer).toList();
        RaftGroupId groupId = RaftGroupId.valueOf(
                UUID.nameUUIDFromBytes(("holdfast/" + config.cluster()).getBytes(StandardCharsets.UTF_8)));
        RaftServer server = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(config.nodeId()))
                .setGroup(RaftGroup.valueOf(groupId, peers))
                .setStateMachine(stateMachine)
                .setProperties(RaftSettings.of(config))
                // FORMAT, the builder's default, would refuse a folder that is in use (RATIS-2019).
                .setOption(RaftStorage.StartupOption.RECOVER)
                .build();
        server.start();
        return new RaftNode(config, groupId, server);
    }

    /**
     * Appends an entry, if this node leads.
     *
     * @param entry the entry
     * @return true once it is committed and applied here; false, or a failure, if it is not known whether it will be
     */
    public CompletableFuture<Boolean> append(Entry entry) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(server.getId())
                .setGroupId(groupId)
                .setCallId(lastCallId.incrementAndGet())
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(EntryCodec.encode(entry))))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        try {
            return server.submitClientRequestAsync(request).thenApply(RaftClientReply::isSuccess);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Tells how things stand.
     *
     * @return Raft as this node sees it
     * @throws IOException if Ratis is closed
     */
    public RaftStatus status() throws IOException {
        RaftServer.Division division = server.getDivision(groupId);
        DivisionInfo info = division.getInfo();
        return new RaftStatus(
                role(info.getCurrentRole()),
                info.getCurrentTerm(),
                Optional.ofNullable(info.getLeaderId()).map(RaftPeerId::toString),
                info.isLeaderReady(),
                info.getLastAppliedIndex(),
                division.getRaftLog().getLastCommittedIndex(),
                division.getGroup().getPeers().stream().map(RaftNode::member).toList());
    }

    /**
     * Hands leadership over.
     *
     * @param patience how long to wait at most
     * @return whether another node took it
     */
    public boolean transferLeadership(Duration patience) {
        for (RaftNodeConfig.Member member : config.members()) {
            if (!member.nodeId().equals(config.nodeId()) && transferTo(member.nodeId(), patience)) {
                return true;
            }
        }
        return false;
    }

    private boolean transferTo(String nodeId, Duration patience) {
        try {
            return server.transferLeadership(new TransferLeadershipRequest(
                            clientId,
                            server.getId(),
                            groupId,
                            lastCallId.incrementAndGet(),
                            RaftPeerId.valueOf(nodeId),
                            patience.toMillis()))
                    .isSuccess();
        } catch (IOException e) {
            return false; // that node cannot take it now
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private static RaftPeer peer(RaftNodeConfig.Member member) {
        return RaftPeer.newBuilder()
                .setId(member.nodeId())
                .setAddress(member.raftAddress())
                .setClientAddress(member.clientAddress())
                .build();
    }

    private static RaftNodeConfig.Member member(RaftPeer peer) {
        return new RaftNodeConfig.Member(
                peer.getId().toString(),
                peer.getAddress(),
                Optional.ofNullable(peer.getClientAddress()).orElse(""));
    }

    private static RaftStatus.Role role(RaftPeerRole role) {
        return switch (role) {
            case LEADER -> RaftStatus.Role.LEADER;
            case FOLLOWER, LISTENER -> RaftStatus.Role.FOLLOWER;
            case CANDIDATE, UNRECOGNIZED -> RaftStatus.Role.CANDIDATE;
        };
    }
}
