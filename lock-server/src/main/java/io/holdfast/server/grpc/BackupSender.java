package io.holdfast.server.grpc;

import com.google.protobuf.ByteString;
import io.grpc.stub.ServerCallStreamObserver;
import io.holdfast.server.backup.BackupManifest;
import io.holdfast.server.backup.BackupWriter;
import io.holdfast.server.grpc.Operations.PinnedSnapshot;
import io.holdfast.v1.BackupEnd;
import io.holdfast.v1.BackupFacts;
import io.holdfast.v1.BackupResponse;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.ErrorReason;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends backups, each on a thread of its own: it reads files, and waits for whoever is slow to take them. */
final class BackupSender {
    private static final Logger LOG = LoggerFactory.getLogger(BackupSender.class);

    /** Each keeps a snapshot from being removed. */
    static final int MAX_AT_A_TIME = 2;

    private static final String METHOD = ClusterServiceGrpc.getBackupMethod().getFullMethodName();

    private final ExecutorService threads = new ThreadPoolExecutor(
            0,
            MAX_AT_A_TIME,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new DefaultThreadFactory("holdfast-backup"));
    private final String nodeId;
    private final Operations operations;
    private final Duration patience;

    /**
     * Creates it.
     *
     * @param patience how long a client may take nothing before it is given up
     */
    BackupSender(String nodeId, Operations operations, Duration patience) {
        this.nodeId = nodeId;
        this.operations = operations;
        this.patience = patience;
    }

    void send(ServerCallStreamObserver<BackupResponse> client) {
        // Now, not on the thread: gRPC takes handlers only until this returns.
        BackupOutput out = new BackupOutput(client, patience);
        try {
            threads.execute(() -> run(client, out));
        } catch (RejectedExecutionException e) {
            Refused refused = threads.isShutdown()
                    ? Refused.because(ErrorReason.SHUTTING_DOWN, "node " + nodeId + " is stopping")
                    : Refused.because(
                            ErrorReason.LIMIT_REACHED,
                            "node " + nodeId + " sends " + MAX_AT_A_TIME
                                    + " backups already; ask again when one is done",
                            Map.of("limit", "backups at a time", "value", Integer.toString(MAX_AT_A_TIME)));
            client.onError(Statuses.of(refused, METHOD));
        }
    }

    private void run(ServerCallStreamObserver<BackupResponse> client, BackupOutput out) {
        try (PinnedSnapshot snapshot = operations.openBackup()) {
            out.send(BackupResponse.newBuilder()
                    .setFacts(facts(snapshot.manifest()))
                    .build());
            BackupWriter.write(snapshot.manifest(), snapshot.folder(), out);
            out.flush();
            out.send(BackupResponse.newBuilder().setEnd(end(out)).build());
            client.onCompleted();
        } catch (BackupOutput.ClientGone e) {
            LOG.info("A backup ends before it is whole: {}", e.getMessage());
            fail(client, Refused.because(ErrorReason.SHUTTING_DOWN, e.getMessage()));
        } catch (IOException e) {
            LOG.warn("A backup fails: {}", e.toString());
            String message = "node " + nodeId + " cannot make a backup: " + e.getMessage();
            fail(client, Refused.because(ErrorReason.DISK_UNUSABLE, message));
        } catch (RuntimeException e) {
            fail(client, e);
        }
    }

    private static void fail(ServerCallStreamObserver<BackupResponse> client, RuntimeException failure) {
        try {
            client.onError(Statuses.of(failure, METHOD));
        } catch (RejectedExecutionException e) {
            LOG.debug("Stopped before a client could be told that its backup ends");
        }
    }

    private BackupFacts facts(BackupManifest manifest) {
        BackupManifest.Facts facts = manifest.facts();
        return BackupFacts.newBuilder()
                .setNodeId(nodeId)
                .setCluster(facts.cluster())
                .setTerm(facts.term())
                .setIndex(facts.index())
                .setLeaseTime(facts.leaseTimeNanos())
                .setLastToken(facts.lastToken())
                .setDigest(facts.digest())
                .setContentBytes(manifest.contentBytes())
                .build();
    }

    private static BackupEnd end(BackupOutput out) {
        return BackupEnd.newBuilder()
                .setBytes(out.bytes())
                .setSha256(ByteString.copyFrom(out.sha256()))
                .build();
    }

    /** Ends those under way, and takes no more. */
    void close() {
        threads.shutdownNow();
    }
}
