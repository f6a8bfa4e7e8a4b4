package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.HoldfastClient;
import io.holdfast.jepsen.history.Action;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.load.Load;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.v1.Member;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A node loses its disk. */
@ExtendWith(ClusterExtension.class)
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
            await().atMost(PATIENCE)
                    .until(() -> wiped.status()
                            .filter(status -> status.getWaiting().isEmpty()
                                    && !status.getLeaderId().isEmpty())
                            .isPresent());
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
