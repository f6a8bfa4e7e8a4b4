package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.HoldfastClient;
import io.holdfast.jepsen.history.Action;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.load.Load;
import io.holdfast.jepsen.process.ClassArchive;
import io.holdfast.jepsen.process.JavaCommand;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.process.Shell;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.GetNodeStatusResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster is lost, and another one is made of its backup. */
@Tag("faults")
class BackupIT {
    private static final int NODES = 3;
    private static final int CLIENTS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LASTING = Duration.ofMinutes(30);

    private final JavaCommand java = ClassArchive.quickJava();
    private final Shell shell = new Shell(java);
    private final Path folder = Path.of("target", "clusters", "backup-" + System.currentTimeMillis())
            .toAbsolutePath();
    private final String before = Names.fresh("before");
    private final String after = Names.fresh("after");

    /** What is known of the lost cluster: its backup, a lock that was held then, and the last grant of all. */
    private record Past(Shell.Ended backup, Grant heldBefore, Grant grantedLast) {}

    @Test
    void a_backup_of_a_loaded_cluster_is_restored_to_three_fresh_nodes() {
        Path file = folder.resolve("backup.zip");
        Past past;
        try (RealCluster lost = RealCluster.start(folder.resolve("lost"), NODES, java)) {
            past = backUpUnderLoad(lost, file);
        }
        assertThat(shell.run("backup", "verify", file.toString(), "-o", "json").orFail())
                .satisfies(it ->
                        assertThat(it.field("digest")).isEqualTo(past.backup().field("digest")))
                .satisfies(it ->
                        assertThat(it.field("index")).isEqualTo(past.backup().field("index")));

        try (RealCluster restored = RealCluster.prepare(folder.resolve("restored"), NODES, java)) {
            try {
                for (NodeProcess node : restored.nodes()) {
                    restore(node, file, past);
                    assertStartsFromBackup(node, past);
                }
                restored.heal();
                assertGoesOn(restored, past);
            } catch (RuntimeException | AssertionError e) {
                System.err.println(restored.report());
                restored.keepFolder();
                throw e;
            }
        }
    }

    private Past backUpUnderLoad(RealCluster lost, Path file) {
        var client = new WireClient(() -> lost.leader().wire());
        Grant heldBefore = client.mustAcquire(client.request(before, LASTING, Duration.ZERO));
        Shell.Ended backup;
        try (HoldfastClient library = Scenarios.library(lost);
                Load load = MixedLoad.start(MixedLoad.plan(CLIENTS), lost, library)) {
            moreGrants(load);
            backup = shell.run("backup", file.toString(), "--endpoints", lost.endpoints(), "-o", "json")
                    .orFail();
            moreGrants(load);
            load.stop();
        }
        assertThat(backup.field("node")).isNotEqualTo(lost.leader().id());
        assertThat(lost.nodes())
                .as("nodes that leave nothing of RocksDB in the system's temporary folder when they are killed")
                .noneMatch(node -> node.logTail(100).contains("Native code cannot run from"));
        // Tokens grow over the whole store: the last one is the greatest.
        Grant grantedLast = client.mustAcquire(client.request(after, LASTING, Duration.ZERO));
        assertThat(grantedLast.token()).isGreaterThan(Long.parseLong(backup.field("lastToken")));
        return new Past(backup, heldBefore, grantedLast);
    }

    private void restore(NodeProcess node, Path file, Past past) {
        Shell.Ended restored = shell.run(
                        "restore",
                        file.toString(),
                        "--config",
                        node.config().toString(),
                        "--force-new-epoch",
                        "-o",
                        "json")
                .orFail();
        assertThat(restored.field("node")).isEqualTo(node.id());
        assertThat(restored.field("digest")).isEqualTo(past.backup().field("digest"));
    }

    /** Alone it has no majority, so it applies nothing: what it shows is what it was given. */
    private static void assertStartsFromBackup(NodeProcess node, Past past) {
        node.start();
        await().atMost(PATIENCE).until(() -> node.wire().statusWithDigest().isPresent());
        GetNodeStatusResponse status = node.wire().statusWithDigest().orElseThrow();
        assertThat(status.getDigest())
                .as("digest of " + node.id())
                .isEqualTo(past.backup().field("digest"));
        assertThat(status.getAppliedIndex())
                .isEqualTo(Long.parseLong(past.backup().field("index")) + (1L << 34));
        node.kill();
    }

    private void assertGoesOn(RealCluster restored, Past past) {
        var client = new WireClient(() -> restored.leader().wire());
        assertThat(client.look(before).orElseThrow().getHoldersList())
                .as("a lock that was held when the backup was made")
                .singleElement()
                .satisfies(hold ->
                        assertThat(hold.getToken()).isEqualTo(past.heldBefore().token()));
        assertThat(client.look(after)).as("a lock granted since").isEmpty();
        Grant again = client.mustAcquire(client.request(after, LASTING, Duration.ZERO));
        assertThat(again.token()).isGreaterThan(past.grantedLast().token());
        assertThat(client.send(client.releaseOf(past.heldBefore())).hasReleased())
                .isTrue();
        ReplicaIT.assertAgreement(restored);
        assertThat(restored.complaints()).isEmpty();
    }

    private static void moreGrants(Load load) {
        long goal = load.sofar().count(Action.ACQUIRE, Answer.YES) + 50;
        await().atMost(PATIENCE).until(() -> load.sofar().count(Action.ACQUIRE, Answer.YES) >= goal);
    }
}
