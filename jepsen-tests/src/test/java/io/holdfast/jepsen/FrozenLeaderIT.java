package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.holdfast.client.HoldfastClient;
import io.holdfast.jepsen.load.Keeper;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.Wire;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.Lock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The leader freezes for longer than leases live, and wakes up in a world that went on without it. */
@OnSharedCluster
class FrozenLeaderIT {
    private static final Duration TTL = Duration.ofSeconds(3);

    /** Longer than an election takes on a busy machine, shorter than the leader is frozen. */
    private static final Duration KEPT_TTL = Duration.ofSeconds(6);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void a_frozen_leader_is_replaced_and_decides_nothing_when_it_wakes(RealCluster cluster) throws Exception {
        NodeProcess old = cluster.leader();
        List<Wire> others = cluster.followers().stream().map(NodeProcess::wire).toList();
        var client = new WireClient(() -> others.getFirst());
        String kept = Names.fresh("kept");
        String dying = Names.fresh("dying");
        String contested = Names.fresh("contested");
        AcquireRequest tooLate = client.request(contested, TTL, Duration.ZERO);

        try (HoldfastClient library = Scenarios.library(cluster);
                Keeper keeper = Keeper.of(library, kept, KEPT_TTL)) {
            Grant dead = client.mustAcquire(client.request(dying, TTL, Duration.ZERO));
            long frozenAt = System.nanoTime();
            old.pause();
            await().until(() -> cluster.presentLeader().isPresent());
            Grant winner = client.mustAcquire(client.request(contested, PATIENCE.multipliedBy(2), Duration.ZERO));
            CompletableFuture<AcquireResponse> queuedAtTheFrozen = Background.run(() -> sendTo(old, tooLate));
            Grant heir = client.mustAcquire(client.request(dying, PATIENCE.multipliedBy(2), PATIENCE));
            assertThat(Duration.ofNanos(heir.answeredNanos() - dead.sentNanos()))
                    .isGreaterThanOrEqualTo(TTL);
            // All leases that the old leader knew must be over by its own count.
            await().until(() -> System.nanoTime() - frozenAt
                    > KEPT_TTL.multipliedBy(3).dividedBy(2).toNanos());
            assertThat(keeper.loss()).isEmpty();

            old.resume();

            assertThat(queuedAtTheFrozen.get().hasGranted())
                    .as("granted by a leader of the past")
                    .isFalse();
            await().until(() -> caughtUp(cluster, old));
            assertThat(heldAt(old, kept)).hasValue(keeper.token());
            assertThat(heldAt(old, contested)).hasValue(winner.token());
            assertThat(heldAt(old, dying)).hasValue(heir.token());
            assertThat(keeper.loss()).isEmpty();
            client.send(client.releaseOf(winner));
            client.send(client.releaseOf(heir));
            keeper.release();
        }
    }

    /** {@return what the node answers; empty if it answers with an error, which promises nothing} */
    private static AcquireResponse sendTo(NodeProcess node, AcquireRequest request) {
        try {
            return node.wire().locks(PATIENCE).acquire(request);
        } catch (StatusRuntimeException e) {
            return AcquireResponse.getDefaultInstance();
        }
    }

    private static boolean caughtUp(RealCluster cluster, NodeProcess node) {
        long applied = cluster.leader().status().orElseThrow().getAppliedIndex();
        return node.status().filter(s -> s.getAppliedIndex() >= applied).isPresent();
    }

    /** {@return the token under which the lock is held in that node's own state} */
    private static Optional<Long> heldAt(NodeProcess node, String name) {
        var answer = node.wire()
                .locks(Duration.ofSeconds(5))
                .getLock(
                        GetLockRequest.newBuilder().setName(name).setStale(true).build());
        return Optional.of(answer.getLock())
                .map(Lock::getHoldersList)
                .filter(holders -> !holders.isEmpty())
                .map(holders -> holders.getFirst().getToken());
    }
}
