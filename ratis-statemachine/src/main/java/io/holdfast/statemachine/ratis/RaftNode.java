package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.codec.Entry;
import io.holdfast.statemachine.codec.EntryCodec;
import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.snapshot.StateFacts;
import io.holdfast.statemachine.snapshot.StateStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.ExitUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's part in Raft: starts and stops Ratis, appends entries, tells how things stand. Thread safe. */
public final class RaftNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftNode.class);

    // gRPC within Ratis does not log by SLF4J. Ratis says by itself when a node cannot be reached, and shorter.
    private static final java.util.logging.Logger GRPC_LOG =
            java.util.logging.Logger.getLogger("org.apache.ratis.thirdparty.io.grpc");

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);
    private static final Duration HAND_OVER_PATIENCE = Duration.ofSeconds(10);

    private final RaftNodeConfig config;
    private final RaftGroupId groupId;
    private final LockStateMachine stateMachine;
    private final RaftServer server;
    private final NodeWatch watch;
    private final RaftView view;

    private final CallIds calls = new CallIds();
    private final Members members;
    private final RemovalCheck removal;

    // Only if it was not certain at the start that this node is a member.
    private volatile @Nullable Bootstrap bootstrap;

    private RaftNode(RaftNodeConfig config, LockStateMachine stateMachine, RaftServer server) {
        this.config = config;
        this.groupId = RaftSettings.groupId(config);
        this.stateMachine = stateMachine;
        this.server = server;
        this.members = new Members(config, server, calls);
        this.view = new RaftView(config, server, groupId);
        this.watch = new NodeWatch(config, server, stateMachine, this::handOver);
        this.removal = new RemovalCheck(config, server, stateMachine);
        stateMachine.explainClose(() -> waiting().isPresent() ? "Ratis has closed this replica" : removal.whyClosed());
    }

    /**
     * Starts Ratis. A node with data joins the other members, and replays the log into the state machine once a leader says how far it is committed. One without data first finds out, on a thread of its own, whether it is one of a new cluster, has lost its disk, or waits to be added: see {@link #waiting}.
     *
     * @param config who this node and the others are
     * @param stateMachine applies what is committed; may be called before this method returns
     * @return the running node; there need not be a leader yet
     * @throws DamagedDataException if a file in the folder is not what this node once wrote; the message names it, and what to do
     * @throws RemovedException if this node was removed from the cluster
     * @throws IOException if the folder cannot be used or the port is taken; the message names it
     */
    public static RaftNode start(RaftNodeConfig config, LockStateMachine stateMachine) throws IOException {
        Standing standing = Standing.read(config.folder()).orElse(Standing.MEMBER);
        Unsettled unsettled = Unsettled.of(config);
        unsettled.bringBack();
        StartChecks.check(config);
        boolean hasData = !GroupFolder.of(config).isEmpty();
        boolean isAlone = config.members().size() == 1;
        if (standing == Standing.REMOVED) {
            throw new RemovedException(config);
        }
        if (standing == Standing.MEMBER && (hasData || isAlone)) {
            return startUnchecked(config, stateMachine, RaftSettings.group(config));
        }
        if (hasData) {
            unsettled.hide();
        }
        RaftNode node = startUnchecked(config, stateMachine, null);
        node.bootstrap(standing, hasData);
        return node;
    }

    private void bootstrap(Standing standing, boolean hasData) {
        Bootstrap started = new Bootstrap(config, server, calls, stateMachine, standing, hasData);
        bootstrap = started;
        started.start();
    }

    /** Starts with folder and port as they are; without a group if that is null. */
    static RaftNode startUnchecked(RaftNodeConfig config, LockStateMachine stateMachine, @Nullable RaftGroup group)
            throws IOException {
        GRPC_LOG.setLevel(Level.SEVERE);
        ProcessExit.keepRatisFromIt();
        stateMachine.belongTo(config);
        RaftServer server = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(config.nodeId()))
                .setGroup(group)
                .setStateMachine(stateMachine)
                .setProperties(RaftSettings.of(config))
                // FORMAT, the builder's default, would refuse a folder that is in use.
                .setOption(RaftStorage.StartupOption.RECOVER)
                .build();
        RaftNode node = new RaftNode(config, stateMachine, server);
        try {
            server.start();
        } catch (ExitUtils.ExitException e) {
            node.close();
            throw StartChecks.cannotListen(config, e);
        } catch (IOException | RuntimeException e) {
            node.close();
            throw StartChecks.unusable(config, e);
        }
        return node;
    }

    /** Whether Ratis has this node's log open: while it is being opened, Ratis can be asked nothing about it. */
    private boolean isOpen() {
        Bootstrap started = bootstrap;
        return started == null || started.isOpen();
    }

    /** {@return what this node waits for before it has its part in the cluster, in words; empty if it has it} */
    public Optional<String> waiting() {
        Bootstrap started = bootstrap;
        return started == null ? Optional.empty() : started.waiting();
    }

    /**
     * Tells who the members are, by the newest configuration this node has.
     *
     * @return the members, by id
     * @throws IOException if Ratis is closed, or this node has no part in the cluster
     */
    public List<RaftNodeConfig.Member> members() throws IOException {
        return members.current();
    }

    /**
     * Adds a member, if this node leads. The new node must run and {@linkplain #waiting wait} to be added; it counts only once it has caught up.
     *
     * @param member the new member
     * @param patience how long to wait at most; afterwards the change may still come about
     * @return what became of it
     */
    public MembershipResult addMember(RaftNodeConfig.Member member, Duration patience) {
        return members.add(member, patience);
    }

    /**
     * Removes a member, if this node leads. It may be dead. A leader does not remove itself: it must hand over first.
     *
     * @param nodeId the member
     * @param patience how long to wait at most; afterwards the change may still come about
     * @return what became of it
     */
    public MembershipResult removeMember(String nodeId, Duration patience) {
        return members.remove(nodeId, patience);
    }

    /**
     * Appends an entry, if this node leads. May wait a moment for this node's own log, never for other nodes.
     *
     * @param entry the entry
     * @return true once it is committed and applied here, {@link ReplicaListener#onApplied} coming first; false if it was certainly not appended anywhere; a failure if it may be committed yet
     * @throws IllegalArgumentException if the entry is larger than Raft can carry, about 4 MiB
     */
    public CompletableFuture<Boolean> append(Entry entry) {
        return append(EntryCodec.encode(entry));
    }

    CompletableFuture<Boolean> append(byte[] bytes) {
        if (bytes.length > RaftSettings.MAX_ENTRY_BYTES) {
            throw new IllegalArgumentException("an entry of " + bytes.length + " bytes");
        }
        Proposal proposal = new Proposal(bytes);
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(calls.clientId())
                .setServerId(server.getId())
                .setGroupId(groupId)
                .setCallId(calls.next())
                .setMessage(proposal)
                .setType(RaftClientRequest.writeRequestType())
                .build();
        CompletableFuture<RaftClientReply> reply;
        try {
            reply = server.submitClientRequestAsync(request);
        } catch (IOException | RuntimeException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        return reply.thenApply(RaftNode::requireSuccess).exceptionallyCompose(proposal::fateAfter);
    }

    private static boolean requireSuccess(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new IllegalStateException(String.valueOf(reply.getException()), reply.getException());
        }
        return true;
    }

    /**
     * Tells how things stand. It proves nothing: a deposed leader may not know it yet.
     *
     * @return Raft as this node sees it
     * @throws IOException if Ratis is closed, or this node has no part in the cluster yet
     */
    public RaftStatus status() throws IOException {
        if (!isOpen()) {
            throw new IOException("node " + config.nodeId() + " has no part in the cluster yet");
        }
        return view.status();
    }

    /**
     * Tells when this node last knew that it has all that is committed. For reads without the leader: it proves nothing.
     *
     * @return what it heard last; empty if it knows no leader, or leads without a majority
     */
    public Optional<Heard> heard() {
        return isOpen() && waiting().isEmpty() ? view.heard() : Optional.empty();
    }

    /**
     * Hands leadership over, to the member that answered last first: for a leader that is about to stop.
     *
     * @param patience how long to wait at most, for all members together
     * @return whether another node took it; false too if this node did not lead
     */
    public boolean transferLeadership(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        for (String follower : view.followersByFreshness()) {
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            if (left.toMillis() > 0 && transferLeadership(follower, left)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Hands leadership over to one member.
     *
     * @param nodeId the member
     * @param patience how long to wait at most
     * @return whether it took it; false too if this node did not lead
     */
    public boolean transferLeadership(String nodeId, Duration patience) {
        try {
            RaftClientReply reply = server.transferLeadership(new TransferLeadershipRequest(
                    calls.clientId(),
                    server.getId(),
                    groupId,
                    calls.next(),
                    RaftPeerId.valueOf(nodeId),
                    patience.toMillis()));
            if (!reply.isSuccess()) {
                LOG.info("Node {} did not take leadership: {}", nodeId, StartChecks.reason(reply.getException()));
            }
            return reply.isSuccess();
        } catch (IOException e) {
            LOG.info("Node {} did not take leadership: {}", nodeId, StartChecks.reason(e));
            return false;
        }
    }

    /**
     * Takes a snapshot of what this node has applied, and lets Raft purge its log up to there. May take seconds.
     *
     * @return the newest snapshot then; fails with an {@link IOException} if there is none, or the disk fails
     */
    public CompletableFuture<SnapshotTaken> takeSnapshot() {
        return stateMachine.requestSnapshot();
    }

    /**
     * Keeps the newest snapshot from being deleted as an old one.
     *
     * @return the snapshot, until it is closed; empty if there is none
     * @throws IOException if it cannot be read
     */
    public Optional<StateStore.Pin> pinSnapshot() throws IOException {
        Optional<StateStore> store = stateMachine.store();
        return store.isPresent() ? store.get().pinNewest() : Optional.empty();
    }

    /**
     * Tells what the state in a snapshot of this node is known by. Reads it as a whole; may take seconds.
     *
     * @param snapshot the snapshot, not closed yet
     * @return what it holds
     * @throws IOException if it cannot be read
     */
    public StateFacts read(StateStore.Pin snapshot) throws IOException {
        return stateMachine
                .store()
                .orElseThrow(() -> new IOException("this node has no part in the cluster"))
                .read(snapshot.checkpoint());
    }

    /** Looks after this node: at its files, its disk. To be called by the process' timer, every 100 ms or so. Takes no time to speak of. */
    public void poll() {
        if (!isOpen()) {
            return;
        }
        watch.poll();
        if (waiting().isEmpty()) {
            removal.poll();
        }
    }

    /** {@return how the disk of the data folder did when {@link #poll} last looked} */
    public DiskState disk() {
        return watch.disk();
    }

    private void handOver() {
        LOG.warn(
                transferLeadership(HAND_OVER_PATIENCE)
                        ? "Handed leadership over, because of this node's disk"
                        : "This node's disk is bad, and no other node takes leadership");
    }

    /** Stops this node's part, within two seconds: an entry in flight may be committed by the others yet. The {@link FatalListener} hears nothing of it. */
    @Override
    public void close() throws IOException {
        stateMachine.expectClose();
        Bootstrap started = bootstrap;
        if (started != null) {
            started.close();
        }
        // Log and port are closed at once; then Ratis waits for peers that may not answer, each for up to five seconds.
        Thread closing =
                Thread.ofPlatform().name("holdfast-raft-close").daemon().start(this::closeServer);
        try {
            if (!closing.join(CLOSE_PATIENCE)) {
                LOG.info("Raft is still waiting for other nodes to hang up: no longer waiting for it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Ratis does so too, but perhaps not yet.
        stateMachine.close();
    }

    private void closeServer() {
        try {
            server.close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("Raft did not close cleanly", e);
        }
        watch.close();
    }
}
