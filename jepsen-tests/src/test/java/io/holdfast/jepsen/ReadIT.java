package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What reads see, on real nodes. */
@OnSharedCluster
class ReadIT {
    private static final Duration TTL = Duration.ofSeconds(30);

    @Test
    void any_node_shows_what_was_answered_before(RealCluster cluster) {
        var client = new WireClient(() -> cluster.leader().wire());
        List<NodeProcess> nodes = cluster.nodes();
        String name = Names.fresh("read");
        for (int i = 0; i < 20; i++) {
            Grant grant = client.mustAcquire(client.request(name, TTL, Duration.ZERO));
            NodeProcess node = nodes.get(i % nodes.size());
            assertThat(get(node, name, false).getLock().getHoldersList())
                    .as("at %s", node.id())
                    .hasSize(1)
                    .allSatisfy(hold -> assertThat(hold.getToken()).isEqualTo(grant.token()));
            client.send(client.releaseOf(grant));
            assertThat(get(node, name, false).hasLock()).as("at %s", node.id()).isFalse();
        }
    }

    @Test
    void reads_at_the_same_time_share_entries(RealCluster cluster) {
        NodeProcess leader = cluster.leader();
        get(leader, "x", false);
        long before = leader.status().orElseThrow().getAppliedIndex();
        List<CompletableFuture<GetLockResponse>> reads = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            reads.add(Background.run(() -> get(leader, "x", false)));
        }
        reads.forEach(CompletableFuture::join);
        long entries = leader.status().orElseThrow().getAppliedIndex() - before;
        assertThat(entries).as("entries for 500 reads").isBetween(1L, 250L);
    }

    @Test
    void a_stale_read_says_how_old_it_may_be(RealCluster cluster) {
        NodeProcess follower = cluster.followers().getFirst();
        // A follower of an idle leader hears from it every few hundred ms.
        await().until(() -> isYoungerThan(get(follower, "x", true), 1_000));
        assertThat(get(cluster.leader(), "x", true).getHeader().hasAgeMs()).isTrue();

        cluster.nodes().stream().filter(node -> node != follower).forEach(NodeProcess::pause);
        await().until(() -> get(follower, "x", true).getHeader().getAgeMs() > 3_000);
        GetLockResponse old = get(follower, "x", true);
        assertThat(old.getHeader().getNodeId()).isEqualTo(follower.id());

        cluster.heal();
        await().until(() -> isYoungerThan(get(follower, "x", true), 1_000));
    }

    private static boolean isYoungerThan(GetLockResponse answer, long millis) {
        return answer.getHeader().hasAgeMs() && answer.getHeader().getAgeMs() < millis;
    }

    private static GetLockResponse get(NodeProcess node, String name, boolean stale) {
        return node.wire()
                .locks(Duration.ofSeconds(20))
                .getLock(GetLockRequest.newBuilder()
                        .setName(name)
                        .setStale(stale)
                        .build());
    }
}
