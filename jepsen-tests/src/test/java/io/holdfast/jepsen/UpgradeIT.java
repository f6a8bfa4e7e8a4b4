package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.HoldfastClient;
import io.holdfast.jepsen.history.Action;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.load.ClientCaller;
import io.holdfast.jepsen.load.Load;
import io.holdfast.jepsen.load.Probe;
import io.holdfast.jepsen.process.ClassArchive;
import io.holdfast.jepsen.process.JavaCommand;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.process.Shell;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.GetNodeStatusResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Nodes that know only the first log format are replaced, one by one, by such that know the second.
 *
 * <p>The old version is the present one, held back by its configuration: it writes and asks for nothing that the first version did not.
 */
@Tag("faults")
class UpgradeIT {
    private static final String OLD = "upgrade:\n  max-feature-level: 1\n";
    private static final int CLIENTS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LASTING = Duration.ofMinutes(30);

    private final JavaCommand java = ClassArchive.quickJava();
    private final Shell shell = new Shell(java);
    private final Path folder = Path.of("target", "clusters", "upgrade-" + System.currentTimeMillis())
            .toAbsolutePath();

    @Test
    void nodes_are_upgraded_one_by_one_under_load() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 3, java, OLD)) {
            try {
                upgrade(cluster);
            } catch (IOException | RuntimeException | AssertionError e) {
                System.err.println(cluster.report());
                cluster.keepFolder();
                throw e;
            }
        }
    }

    private void upgrade(RealCluster cluster) throws IOException {
        var client = new WireClient(() -> cluster.leader().wire());
        String lock = Names.fresh("upgrade");
        Grant held = client.mustAcquire(client.request(lock, LASTING, Duration.ZERO));
        try (HoldfastClient library = Scenarios.library(cluster);
                Load load = MixedLoad.start(MixedLoad.plan(CLIENTS), cluster, library);
                Probe probe = new Probe(Names.fresh("probe"), new ClientCaller(library))) {
            moreGrants(load);
            for (NodeProcess node : leaderLast(cluster)) {
                assertThat(levels(cluster))
                        .as("feature levels before " + node.id())
                        .containsOnly(1);
                restartAsNew(cluster, node);
                moreGrants(load);
            }
            long all = System.nanoTime();
            await().atMost(PATIENCE).until(() -> levels(cluster).stream().allMatch(level -> level == 2));
            assertThat(probe.serviceAfter(all, PATIENCE)).isPositive();
            moreGrants(load);
            HistoryIT.check(load.stop());
        }
        cluster.heal();
        ReplicaIT.assertAgreement(cluster);
        assertThat(client.look(lock).orElseThrow().getHoldersList())
                .singleElement()
                .satisfies(hold -> assertThat(hold.getToken()).isEqualTo(held.token()));
    }

    private void restartAsNew(RealCluster cluster, NodeProcess node) throws IOException {
        if (cluster.leader() == node) {
            var unused = shell.run("cluster", "transfer-leader", "--endpoints", cluster.endpoints())
                    .orFail();
        }
        assertThat(node.terminate(PATIENCE)).isZero();
        String config = Files.readString(node.config());
        assertThat(config).contains(OLD);
        Files.writeString(node.config(), config.replace(OLD, ""));
        cluster.heal();
    }

    private static List<NodeProcess> leaderLast(RealCluster cluster) {
        List<NodeProcess> nodes = new ArrayList<>(cluster.followers());
        nodes.add(cluster.leader());
        return nodes;
    }

    private static List<Integer> levels(RealCluster cluster) {
        return cluster.nodes().stream()
                .map(node -> node.status()
                        .map(GetNodeStatusResponse::getFeatureLevel)
                        .orElse(0))
                .toList();
    }

    private static void moreGrants(Load load) {
        long goal = load.sofar().count(Action.ACQUIRE, Answer.YES) + 30;
        await().atMost(PATIENCE).until(() -> load.sofar().count(Action.ACQUIRE, Answer.YES) >= goal);
    }
}
