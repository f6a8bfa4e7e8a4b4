package io.holdfast.server.node;

import io.holdfast.server.grpc.Cluster;
import io.holdfast.server.grpc.OperationRefused;
import io.holdfast.server.grpc.OperationRefused.Why;
import io.holdfast.server.grpc.Operations;
import io.holdfast.server.proposer.Unanswered;
import io.holdfast.statemachine.ratis.RaftNode;
import io.holdfast.statemachine.ratis.RaftNodeConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Does what operators ask for, with Raft: one change of members or leader at a time. Thread safe. */
final class NodeOperations implements Operations, AutoCloseable {
    private static final Duration TRANSFER_PATIENCE = Duration.ofSeconds(5);
    private static final Duration REMOVAL_PATIENCE = Duration.ofSeconds(5);

    private final String nodeId;
    private final Cluster cluster;
    private final NodeSnapshots snapshots;
    private final ExecutorService changes = new ThreadPoolExecutor(
            0, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), Threads.named("holdfast-change"));
    private volatile @Nullable RaftNode raft;

    NodeOperations(String nodeId, Cluster cluster, NodeSnapshots snapshots) {
        this.nodeId = nodeId;
        this.cluster = cluster;
        this.snapshots = snapshots;
    }

    void plug(RaftNode started) {
        raft = started;
    }

    @Override
    public CompletionStage<List<Cluster.Member>> addMember(Cluster.Member member, Duration catchUp) {
        RaftNodeConfig.Member added = new RaftNodeConfig.Member(member.id(), member.raftAddress(), member.endpoint());
        return change(() -> MemberChange.members(leading().addMember(added, catchUp)));
    }

    @Override
    public CompletionStage<List<Cluster.Member>> removeMember(String id) {
        return change(() -> remove(leading(), id));
    }

    private List<Cluster.Member> remove(RaftNode leading, String id) {
        if (id.equals(nodeId)) {
            String leader = handOver(leading, Optional.empty());
            throw new Unanswered(Unanswered.Why.NOT_LEADER, "node " + nodeId + " has handed leadership to " + leader);
        }
        return MemberChange.members(leading.removeMember(id, REMOVAL_PATIENCE));
    }

    @Override
    public CompletionStage<String> transferLeadership(Optional<String> to) {
        return change(() -> handOver(leading(), to));
    }

    @Override
    public CompletionStage<SnapshotTaken> takeSnapshot() {
        RaftNode started = raft;
        return started == null ? CompletableFuture.failedFuture(notStarted()) : snapshots.take(started);
    }

    @Override
    public PinnedSnapshot openBackup() throws IOException {
        RaftNode started = raft;
        if (started == null) {
            throw notStarted();
        }
        return snapshots.open(started);
    }

    private OperationRefused notStarted() {
        return new OperationRefused(Why.NOT_READY, "node " + nodeId + " is still starting");
    }

    private String handOver(RaftNode leading, Optional<String> to) {
        List<Cluster.Member> members = cluster.view().members();
        if (to.isPresent() && members.stream().noneMatch(it -> it.id().equals(to.get()))) {
            throw new OperationRefused(Why.NO_SUCH_MEMBER, "no member has the id " + to.get());
        }
        if (to.isPresent() && to.get().equals(nodeId)) {
            return nodeId;
        }
        if (members.size() == 1) {
            throw new OperationRefused(Why.LAST_MEMBER, nodeId + " is the only member: nobody else can lead");
        }
        boolean done = to.map(it -> leading.transferLeadership(it, TRANSFER_PATIENCE))
                .orElseGet(() -> leading.transferLeadership(TRANSFER_PATIENCE));
        Optional<String> leader = cluster.view().leaderId();
        if (!done && leader.filter(nodeId::equals).isPresent()) {
            throw new OperationRefused(
                    Why.NOT_READY,
                    to.orElse("no other member") + " did not take leadership: is it up, and has it caught up?");
        }
        return leader.or(() -> to)
                .orElseThrow(() -> new Unanswered(
                        Unanswered.Why.OUTCOME_UNKNOWN, "leadership was handed over; to whom is not known yet"));
    }

    private RaftNode leading() {
        RaftNode leading = raft;
        if (leading == null || !cluster.isLeading()) {
            throw new Unanswered(Unanswered.Why.NOT_LEADER, "node " + nodeId + " does not lead");
        }
        return leading;
    }

    private <T> CompletionStage<T> change(Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, changes);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(
                    changes.isShutdown()
                            ? new Unanswered(Unanswered.Why.STOPPING, "node " + nodeId + " is stopping")
                            : new OperationRefused(
                                    Why.CHANGE_UNDER_WAY,
                                    "another change of members or leader is under way; try again when it is done"));
        }
    }

    @Override
    public void close() {
        changes.shutdownNow();
    }
}
