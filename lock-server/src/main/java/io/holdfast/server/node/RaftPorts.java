package io.holdfast.server.node;

import io.holdfast.server.config.MemberConfig;
import io.holdfast.server.config.ServerConfig;
import io.holdfast.server.config.SnapshotConfig;
import io.holdfast.server.grpc.Cluster;
import io.holdfast.server.proposer.EntryLog;
import io.holdfast.server.proposer.Proposer;
import io.holdfast.statemachine.codec.Entry;
import io.holdfast.statemachine.ratis.Heard;
import io.holdfast.statemachine.ratis.RaftNode;
import io.holdfast.statemachine.ratis.RaftNodeConfig;
import io.holdfast.statemachine.ratis.RaftStatus;
import io.holdfast.statemachine.ratis.SnapshotPolicy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Plugs Raft into the ports of the proposer and of the front door. Before Raft has started it says so. Thread safe. */
final class RaftPorts implements EntryLog, Cluster {
    private final List<Member> configured;
    private final LongConsumer commitNanos;
    private volatile @Nullable RaftNode raft;
    private volatile @Nullable Proposer proposer;

    /**
     * Plugs nothing yet.
     *
     * @param config whom to name as members until Raft knows better
     * @param commitNanos hears of each committed entry how long it took, in ns
     */
    RaftPorts(ServerConfig config, LongConsumer commitNanos) {
        this.commitNanos = commitNanos;
        this.configured = config.members().stream()
                .map(it -> new Member(it.id(), it.client().toString(), it.raft().toString()))
                .toList();
    }

    static RaftNodeConfig raftConfig(ServerConfig config) {
        return new RaftNodeConfig(
                config.cluster(),
                config.node(),
                config.members().stream().map(RaftPorts::member).toList(),
                config.bind().raft().toString(),
                config.data(),
                config.raft().electionTimeoutMin(),
                config.raft().electionTimeoutMax(),
                config.disk().reserve(),
                snapshots(config.snapshot()));
    }

    private static SnapshotPolicy snapshots(SnapshotConfig config) {
        return new SnapshotPolicy(config.logBytes(), config.changes(), config.keep());
    }

    private static RaftNodeConfig.Member member(MemberConfig member) {
        return new RaftNodeConfig.Member(
                member.id(), member.raft().toString(), member.client().toString());
    }

    void plug(Proposer leading) {
        proposer = leading;
    }

    void plug(RaftNode started) {
        raft = started;
    }

    /** {@return what Raft last heard of how far the cluster is; empty if it knows no leader, or has not started} */
    Optional<Heard> heard() {
        RaftNode log = raft;
        return log == null ? Optional.empty() : log.heard();
    }

    @Override
    public CompletableFuture<Fate> append(Entry entry) {
        RaftNode log = raft;
        if (log == null) {
            return CompletableFuture.completedFuture(Fate.REFUSED);
        }
        long began = System.nanoTime();
        return log.append(entry).thenApply(committed -> {
            if (committed) {
                commitNanos.accept(System.nanoTime() - began);
            }
            return committed ? Fate.COMMITTED : Fate.REFUSED;
        });
    }

    @Override
    public boolean isLeading() {
        Proposer leading = proposer;
        return leading != null && leading.isLeading();
    }

    @Override
    public View view() {
        RaftNode log = raft;
        try {
            if (log == null) {
                return outside(Optional.empty());
            }
            Optional<String> waiting = log.waiting();
            return waiting.isPresent() ? outside(waiting) : view(log.status());
        } catch (IOException e) {
            return outside(Optional.empty()); // Raft is stopping
        }
    }

    private View outside(Optional<String> waiting) {
        return new View(Role.CANDIDATE, 0, Optional.empty(), false, configured, waiting);
    }

    private static View view(RaftStatus status) {
        Role role = switch (status.role()) {
            case LEADER -> Role.LEADER;
            case FOLLOWER -> Role.FOLLOWER;
            case CANDIDATE -> Role.CANDIDATE;
        };
        List<Member> members = status.members().stream()
                .map(it -> new Member(it.nodeId(), it.clientAddress(), it.raftAddress()))
                .toList();
        return new View(role, status.term(), status.leaderId(), status.isLeaderReady(), members, Optional.empty());
    }
}
