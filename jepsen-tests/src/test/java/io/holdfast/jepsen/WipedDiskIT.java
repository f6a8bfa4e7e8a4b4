package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.jepsen.history.Action;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.load.Load;
import io.holdfast.jepsen.process.ClassArchive;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.v1.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A node loses its disk. */
@Tag("faults")
@OnSharedCluster
class WipedDiskIT {
    private static final int CLIENTS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void a_wiped_follower_comes_back_by_itself_under_load_with_the_same_digest(RealCluster cluster) throws IOException {
        NodeProcess wiped = cluster.followers().getFirst();
        try (HoldfastClient library = Scenarios.library(cluster);
                Load load = MixedLoad.start(MixedLoad.plan(CLIENTS), cluster, library)) {
            moreGrants(load);
            wiped.kill();
            wiped.wipe();
            wiped.start();
            await().atMost(PATIENCE).until(() -> isBack(wiped));
            moreGrants(load);
            HistoryIT.check(load.stop());
        }

        cluster.heal();
        ReplicaIT.assertAgreement(cluster);
        assertThat(cluster.leader().status().orElseThrow().getMembersList())
                .extracting(Member::getNodeId)
                .containsExactly("n1", "n2", "n3");
        assertThat(wiped.logTail(1_000)).contains("has no data: it asks");
    }

    @Test
    @EnabledIfSystemProperty(
            named = "holdfast.rounds",
            matches = "\\d+",
            disabledReason = "SnapshotCrashIT has a short one")
    void it_comes_back_though_it_is_killed_twice_and_the_leader_changes_half_way(@TempDir Path folder)
            throws Exception {
        try (RealCluster cluster = RealCluster.start(
                        folder.resolve("cluster"), 3, ClassArchive.quickJava(), SnapshotCrashIT.SETTINGS);
                HoldfastClient library = Scenarios.library(cluster)) {
            fill(cluster);
            NodeProcess wiped = cluster.followers().getFirst();
            wiped.kill();
            wiped.wipe();

            for (int i = 0; i < 2; i++) {
                wiped.start();
                await().atMost(PATIENCE).until(() -> isReceiving(wiped) || isBack(wiped));
                wiped.kill();
            }
            wiped.start();
            await().atMost(PATIENCE).until(() -> isReceiving(wiped) || isBack(wiped));
            await().atMost(PATIENCE).until(() -> isHandedOver(library));

            await().atMost(PATIENCE).until(() -> isBack(wiped));
            cluster.heal();
            ReplicaIT.assertAgreement(cluster);
            assertThat(cluster.complaints()).isEmpty();
        }
    }

    /** The one that could lead may be a moment behind. */
    private static boolean isHandedOver(HoldfastClient library) throws InterruptedException {
        try {
            var unused = library.admin().transferLeadership(Optional.empty());
            return true;
        } catch (HoldfastException.OperationRefused e) {
            return false;
        }
    }

    /** With more than a file of the log holds, so that it is a snapshot that is sent. */
    private static void fill(RealCluster cluster) throws Exception {
        var random = new Random(7);
        var flood = new LeaseFlood(cluster.leader().wire());
        for (int part = 0; part < 3; part++) {
            String prefix = "wiped/" + part + "/";
            flood.acquire(12_000, Duration.ofHours(1), i -> prefix + SnapshotCrashIT.incompressible(random));
        }
        for (NodeProcess node : cluster.nodes()) {
            var unused = SnapshotCrashIT.snapshot(node.wire());
        }
        for (NodeProcess node : cluster.nodes()) {
            await().atMost(PATIENCE).until(() -> !SnapshotCrashIT.hasFirstSegment(node));
        }
    }

    /** Ratis writes there what comes in; the folder is not there yet, or already gone again. */
    private static boolean isReceiving(NodeProcess node) {
        try {
            return SnapshotCrashIT.isReceiving(node);
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static boolean isBack(NodeProcess node) {
        return node.status()
                .filter(status ->
                        status.getWaiting().isEmpty() && !status.getLeaderId().isEmpty())
                .isPresent();
    }

    @Test
    void without_a_majority_of_nodes_with_data_nothing_is_granted(RealCluster cluster) {
        NodeProcess leader = cluster.leader();
        NodeProcess wiped = cluster.followers().getFirst();
        NodeProcess kept = cluster.followers().getLast();
        leader.kill();
        wiped.kill();
        wiped.wipe();

        wiped.start();

        await().atMost(PATIENCE)
                .until(() -> wiped.status()
                        .filter(status -> status.getWaiting().contains("though it is a member: it waits for a leader"))
                        .isPresent());
        assertThat(kept.status().orElseThrow().getLeaderReady()).isFalse();
    }

    private static void moreGrants(Load load) {
        long goal = load.sofar().count(Action.ACQUIRE, Answer.YES) + 50;
        await().atMost(PATIENCE).until(() -> load.sofar().count(Action.ACQUIRE, Answer.YES) >= goal);
    }
}
