package io.holdfast.jepsen;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.Acquisition;
import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockRequest;
import io.holdfast.jepsen.load.Keeper;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.Lock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The leader dies while locks are held and waited for. */
@OnSharedCluster
class LeaderKillIT {
    private static final Duration TTL = Duration.ofSeconds(3);

    @Test
    void a_lock_survives_the_death_of_the_leader_and_passes_on_after_its_release(RealCluster cluster) throws Exception {
        String name = Names.fresh("survives");
        var client = new WireClient(() -> cluster.leader().wire());
        try (HoldfastClient library = Scenarios.library(cluster);
                Keeper keeper = Keeper.of(library, name, TTL)) {
            LockRequest request = LockRequest.of(name).withTtl(TTL).withPatience(Duration.ofSeconds(60));
            CompletableFuture<Grant> waiter = Background.run(() -> granted(library, request));
            await().until(() -> client.look(name).orElseThrow().getWaiterCount() == 1);

            cluster.leader().kill();
            await().until(() -> cluster.presentLeader().isPresent());
            long back = System.nanoTime();
            // Two more TTLs: only renewals can have kept it, and only asks the waiter's place.
            await().until(() -> System.nanoTime() - back > TTL.multipliedBy(2).toNanos());

            Lock lock = client.look(name).orElseThrow();
            assertThat(lock.getHolders(0).getToken()).isEqualTo(keeper.token());
            assertThat(lock.getWaiterCount()).isEqualTo(1);
            assertThat(waiter).isNotDone();
            assertThat(keeper.loss()).isEmpty();
            keeper.release();
            Grant granted = waiter.get(60, SECONDS);
            assertThat(granted.token()).isGreaterThan(keeper.token());
            library.release(granted);
        }
    }

    @Test
    void service_is_back_soon_after_the_leader_was_killed(RealCluster cluster) {
        Figures gaps = Scenarios.failover(cluster, Rounds.orElse(2));
        System.out.println(gaps);
        // A bound that holds on a machine with much else to do; the figure is what counts (Measure).
        assertThat(Duration.ofNanos(gaps.max())).isLessThan(Duration.ofSeconds(30));
    }

    private static Grant granted(HoldfastClient client, LockRequest request) {
        try {
            return ((Acquisition.Granted) client.acquire(request)).grant();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
