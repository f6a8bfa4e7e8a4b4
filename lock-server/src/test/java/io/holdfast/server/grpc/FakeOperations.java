package io.holdfast.server.grpc;

import io.holdfast.server.backup.BackupManifest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Operations that only note what they are asked for, and answer as the test says. Thread safe. */
final class FakeOperations implements Operations {
    final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger pinned = new AtomicInteger();

    /** What the next is answered. */
    volatile CompletableFuture<List<Cluster.Member>> members = CompletableFuture.completedFuture(List.of());

    volatile CompletableFuture<String> leader = CompletableFuture.completedFuture("n2");
    volatile CompletableFuture<SnapshotTaken> snapshot =
            CompletableFuture.completedFuture(new SnapshotTaken(3, 42, true, 1_000));
    volatile @Nullable IOException backupFailure;
    private volatile @Nullable BackupManifest manifest;
    private volatile @Nullable Path folder;

    /** Has something to back up. */
    void holds(BackupManifest what, Path where) {
        manifest = what;
        folder = where;
    }

    @Override
    public CompletionStage<List<Cluster.Member>> addMember(Cluster.Member member, Duration catchUp) {
        asked.add("add " + member.id() + " " + member.endpoint() + " " + member.raftAddress() + " within " + catchUp);
        return members;
    }

    @Override
    public CompletionStage<List<Cluster.Member>> removeMember(String nodeId) {
        asked.add("remove " + nodeId);
        return members;
    }

    @Override
    public CompletionStage<String> transferLeadership(Optional<String> nodeId) {
        asked.add("transfer to " + nodeId.orElse("anybody"));
        return leader;
    }

    @Override
    public CompletionStage<SnapshotTaken> takeSnapshot() {
        asked.add("snapshot");
        return snapshot;
    }

    @Override
    public PinnedSnapshot openBackup() throws IOException {
        IOException failure = backupFailure;
        if (failure != null) {
            throw failure;
        }
        pinned.incrementAndGet();
        return new PinnedSnapshot() {
            @Override
            public BackupManifest manifest() {
                return Objects.requireNonNull(manifest);
            }

            @Override
            public Path folder() {
                return Objects.requireNonNull(folder);
            }

            @Override
            public void close() {
                pinned.decrementAndGet();
            }
        };
    }
}
