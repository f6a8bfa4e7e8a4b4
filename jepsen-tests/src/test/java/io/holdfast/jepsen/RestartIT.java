package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockRequest;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.Hold;
import io.holdfast.v1.Lock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever dies, what was acknowledged is there when it comes back. */
@OnSharedCluster
class RestartIT {
    private static final Duration SHORT = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void all_grants_survive_the_death_of_all_nodes_until_their_leases_run_out(RealCluster cluster) {
        var client = new WireClient(() -> cluster.leader().wire());
        List<Grant> lasting = IntStream.range(0, 10)
                .mapToObj(i -> client.mustAcquire(client.request(Names.fresh("lasting"), LONG, Duration.ZERO)))
                .toList();
        String brief = Names.fresh("brief");
        Grant dying = client.mustAcquire(client.request(brief, SHORT, Duration.ZERO));

        cluster.nodes().forEach(NodeProcess::kill);
        cluster.heal();

        lasting.forEach(grant -> assertThat(holdOf(client, grant.request().getName()))
                .as("the same hold")
                .hasValueSatisfying(hold -> {
                    assertThat(hold.getToken()).isEqualTo(grant.token());
                    assertThat(hold.getOwner()).isEqualTo(grant.request().getOwner());
                }));
        Grant next = client.mustAcquire(client.request(brief, SHORT, SHORT.multipliedBy(3)));
        assertThat(Duration.ofNanos(next.answeredNanos() - dying.sentNanos()))
                .as("the lease without a renewal ran out, and not before its time")
                .isGreaterThanOrEqualTo(SHORT);
        assertThat(next.token()).as("tokens go on growing").isGreaterThan(dying.token());
        lasting.forEach(grant ->
                assertThat(client.send(client.releaseOf(grant)).hasReleased()).isTrue());
        client.send(client.releaseOf(next));
    }

    @Test
    void a_minority_grants_nothing_and_forgets_nothing(RealCluster cluster) {
        var client = new WireClient(() -> cluster.leader().wire());
        String name = Names.fresh("minority");
        Grant grant = client.mustAcquire(client.request(name, LONG, Duration.ZERO));
        List<NodeProcess> followers = cluster.followers();
        followers.forEach(NodeProcess::kill);

        try (HoldfastClient library = Scenarios.impatientLibrary(cluster, PATIENCE)) {
            long asked = System.nanoTime();
            assertThatExceptionOfType(HoldfastException.Unavailable.class)
                    .isThrownBy(() -> library.acquire(
                            LockRequest.of(Names.fresh("nobody")).withPatience(LONG)));
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(PATIENCE.plusSeconds(12));
        }
        followers.getFirst().start();
        await().until(() -> cluster.presentLeader().isPresent());

        Hold hold = holdOf(client, name).orElseThrow();
        assertThat(hold.getToken()).isEqualTo(grant.token());
        assertThat(client.send(WireClient.renewalOf(grant)).getRenewed().getToken())
                .isEqualTo(grant.token());
        client.send(client.releaseOf(grant));
    }

    private static Optional<Hold> holdOf(WireClient client, String name) {
        return client.look(name).map(Lock::getHoldersList).map(List::getFirst);
    }
}
