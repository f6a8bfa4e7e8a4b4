package io.holdfast.server.node;

import io.holdfast.server.backup.BackupManifest;
import io.holdfast.server.grpc.OperationRefused;
import io.holdfast.server.grpc.OperationRefused.Why;
import io.holdfast.server.grpc.Operations.PinnedSnapshot;
import io.holdfast.server.grpc.Operations.SnapshotTaken;
import io.holdfast.statemachine.ratis.RaftNode;
import io.holdfast.statemachine.snapshot.Checkpoint;
import io.holdfast.statemachine.snapshot.StateFacts;
import io.holdfast.statemachine.snapshot.StateStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Takes snapshots of a node for its operators. */
final class NodeSnapshots {
    private final String product;

    /**
     * Creates it.
     *
     * @param product version of this software, which backups name
     */
    NodeSnapshots(String product) {
        this.product = product;
    }

    CompletionStage<SnapshotTaken> take(RaftNode raft) {
        return raft.takeSnapshot().handle((taken, failure) -> {
            if (failure != null) {
                throw refused(failure);
            }
            return new SnapshotTaken(taken.term(), taken.index(), taken.isNew(), taken.bytes());
        });
    }

    /** Takes one, and keeps it for a backup. */
    PinnedSnapshot open(RaftNode raft) throws IOException {
        try {
            var unused = raft.takeSnapshot().get();
        } catch (ExecutionException e) {
            throw refused(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the node is stopping", e);
        }
        StateStore.Pin pin = raft.pinSnapshot().orElseThrow(() -> new IOException("there is no snapshot"));
        try {
            return new Pinned(manifest(raft, pin), pin);
        } catch (IOException | RuntimeException e) {
            pin.close();
            throw e;
        }
    }

    private BackupManifest manifest(RaftNode raft, StateStore.Pin pin) throws IOException {
        Checkpoint checkpoint = pin.checkpoint();
        StateFacts facts = raft.read(pin);
        return BackupManifest.of(
                product,
                new BackupManifest.Facts(
                        checkpoint.cluster(),
                        checkpoint.term(),
                        checkpoint.index(),
                        facts.clockNanos(),
                        facts.lastToken(),
                        checkpoint.featureLevel(),
                        facts.digest()),
                Instant.now(),
                checkpoint.folder());
    }

    private record Pinned(BackupManifest manifest, StateStore.Pin pin) implements PinnedSnapshot {
        @Override
        public Path folder() {
            return pin.checkpoint().folder();
        }

        @Override
        public void close() {
            pin.close();
        }
    }

    private static OperationRefused refused(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new OperationRefused(Why.NOT_READY, "no snapshot could be taken: " + cause.getMessage());
    }
}
