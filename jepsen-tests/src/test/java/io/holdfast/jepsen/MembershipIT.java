package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.MemberInfo;
import io.holdfast.jepsen.history.Action;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.history.History;
import io.holdfast.jepsen.load.ClientCaller;
import io.holdfast.jepsen.load.Load;
import io.holdfast.jepsen.load.Probe;
import io.holdfast.jepsen.process.ClassArchive;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.v1.GetNodeStatusResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members come and go while clients are at work. */
@Tag("faults")
class MembershipIT {
    private static final int CLIENTS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A bound that holds on a machine with much else to do; the figure is what counts. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    /** What a process ends with that stopped for a reason that is in its log. */
    private static final int FAILED = 70;

    private final Path folder = Path.of("target", "clusters", "membership-" + System.currentTimeMillis())
            .toAbsolutePath();

    @Test
    void a_cluster_grows_from_one_to_five_and_shrinks_to_three_under_load() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder, 1, ClassArchive.quickJava())) {
            try {
                HistoryIT.check(growAndShrink(cluster));
                assertThat(cluster.nodes()).hasSize(3);
                cluster.heal();
                ReplicaIT.assertAgreement(cluster);
                assertThat(cluster.complaints()).isEmpty();
            } catch (RuntimeException | AssertionError e) {
                System.err.println(cluster.report());
                cluster.keepFolder();
                throw e;
            }
        }
    }

    private static History growAndShrink(RealCluster cluster) throws InterruptedException {
        try (HoldfastClient library = Scenarios.library(cluster);
                Load load = MixedLoad.start(MixedLoad.plan(CLIENTS), library);
                Probe probe = new Probe(Names.fresh("probe"), new ClientCaller(library))) {
            moreGrants(load);
            for (int members = 2; members <= 5; members++) {
                add(cluster, library);
                moreGrants(load);
            }
            remove(cluster, library, cluster.followers().getFirst());
            moreGrants(load);
            remove(cluster, library, cluster.leader());
            moreGrants(load);
            System.out.println("longest pause while members came and went: "
                    + probe.longestPause().toMillis() + " ms");
            assertThat(probe.longestPause()).isLessThan(LONGEST_PAUSE);
            return load.stop();
        }
    }

    private static void add(RealCluster cluster, HoldfastClient library) throws InterruptedException {
        NodeProcess added = cluster.startNew();
        await().atMost(PATIENCE)
                .until(() -> added.status()
                        .map(GetNodeStatusResponse::getWaiting)
                        .orElse("")
                        .contains("it waits to be added"));
        MemberInfo member = new MemberInfo(
                added.id(), added.address().endpoint(), added.address().raftAddress());

        assertThat(library.admin().addMember(member, PATIENCE)).contains(member).hasSameSizeAs(cluster.nodes());

        await().atMost(PATIENCE)
                .until(() -> added.status()
                        .filter(status -> status.getWaiting().isEmpty()
                                && !status.getLeaderId().isEmpty())
                        .isPresent());
    }

    private static void remove(RealCluster cluster, HoldfastClient library, NodeProcess removed)
            throws InterruptedException {
        assertThat(library.admin().removeMember(removed.id()))
                .noneMatch(member -> member.id().equals(removed.id()))
                .hasSize(cluster.nodes().size() - 1);

        assertThat(removed.awaitEnd(PATIENCE)).isEqualTo(FAILED);
        assertThat(removed.logTail(5))
                .contains("the node stops: This node was removed from cluster harness: node " + removed.id());
        removed.start();
        assertThat(removed.awaitEnd(PATIENCE)).as("exit code of a second start").isEqualTo(2);
        assertThat(removed.logTail(5)).contains("Node " + removed.id() + " was removed from cluster harness");
        cluster.forget(removed);
    }

    private static void moreGrants(Load load) {
        long goal = load.sofar().count(Action.ACQUIRE, Answer.YES) + 20;
        await().atMost(PATIENCE).until(() -> load.sofar().count(Action.ACQUIRE, Answer.YES) >= goal);
    }
}
