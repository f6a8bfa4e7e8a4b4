package io.holdfast.jepsen;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.Hold;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.Lock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who waits, and what time does to it, on real nodes. */
@OnSharedCluster
class QueueIT {
    private static final long TOKENS_PER_ENTRY = 65_536;

    @Test
    void three_waiters_get_the_lock_in_the_order_in_which_they_came(RealCluster cluster) throws Exception {
        var client = new WireClient(() -> cluster.leader().wire());
        String name = Names.fresh("fifo");
        Grant holder = client.mustAcquire(client.request(name, Duration.ofSeconds(30), Duration.ZERO));
        List<CompletableFuture<Grant>> waiting = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            int place = i;
            var request = client.request(name, Duration.ofSeconds(30), Duration.ofSeconds(60));
            waiting.add(Background.run(() -> client.mustAcquire(request)));
            await().until(() -> client.look(name).orElseThrow().getWaiterCount() == place);
        }

        List<Grant> inTurn = new ArrayList<>(List.of(holder));
        for (int i = 0; i < 3; i++) {
            assertThat(client.send(client.releaseOf(inTurn.getLast())).hasReleased())
                    .isTrue();
            inTurn.add(waiting.get(i).get(60, SECONDS));
            assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(i + 1);
            assertThat(listed(cluster, name))
                    .as("list shows the holder, its token, and the log index that the token names")
                    .satisfies(hold -> {
                        assertThat(hold.getOwner())
                                .isEqualTo(inTurn.getLast().request().getOwner());
                        assertThat(hold.getToken()).isEqualTo(inTurn.getLast().token());
                        assertThat(hold.getToken() / TOKENS_PER_ENTRY).isEqualTo(hold.getLogIndex());
                    });
        }
        assertThat(inTurn).extracting(Grant::token).isSorted().doesNotHaveDuplicates();
        client.send(client.releaseOf(inTurn.getLast()));
    }

    @Test
    void who_waited_longer_than_its_ttl_still_has_half_of_it_when_the_lock_comes(RealCluster cluster) throws Exception {
        Grant grant = Scenarios.longWait(cluster, Duration.ofSeconds(3), Duration.ofSeconds(5));
        assertThat(Duration.ofNanos(grant.leftNanos())).isGreaterThanOrEqualTo(Duration.ofMillis(1_500));
    }

    @Test
    void the_lock_of_a_dead_holder_passes_on_when_its_ttl_is_over_and_not_before(RealCluster cluster) throws Exception {
        Figures lag = Scenarios.expiryLag(cluster, Duration.ofSeconds(2), Rounds.orElse(2));
        System.out.println(lag);
        assertThat(lag.min()).as("never early").isNotNegative();
        assertThat(lag.max()).isLessThan(Duration.ofSeconds(5).toNanos());
    }

    private static Hold listed(RealCluster cluster, String prefix) {
        List<Lock> locks = cluster.leader()
                .wire()
                .locks(Duration.ofSeconds(5))
                .listLocks(ListLocksRequest.newBuilder().setPrefix(prefix).build())
                .getLocksList();
        assertThat(locks).hasSize(1);
        assertThat(locks.getFirst().getHoldersList()).hasSize(1);
        return locks.getFirst().getHolders(0);
    }
}
