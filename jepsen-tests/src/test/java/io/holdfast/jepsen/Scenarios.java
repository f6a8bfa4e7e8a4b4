package io.holdfast.jepsen;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.HoldfastClient;
import io.holdfast.jepsen.load.ClientCaller;
import io.holdfast.jepsen.load.Keeper;
import io.holdfast.jepsen.load.Probe;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.Wire;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.AcquireRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What is done once, quickly, by a test and often by {@link Measure}. */
final class Scenarios {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Scenarios() {}

    /** {@return what a waiter under that TTL has, to whom the lock is released after that wait} */
    static Grant longWait(RealCluster cluster, Duration ttl, Duration wait) throws Exception {
        Wire leader = cluster.leader().wire();
        var client = new WireClient(() -> leader);
        String name = Names.fresh("long-wait");
        Grant holder = client.mustAcquire(client.request(name, wait.multipliedBy(2), Duration.ZERO));
        AcquireRequest request = client.request(name, ttl, wait.multipliedBy(2));
        CompletableFuture<Grant> waiter = Background.run(() -> client.mustAcquire(request));
        // The wait is the subject.
        await().pollDelay(wait)
                .atMost(wait.plusSeconds(10))
                .until(() -> client.look(name).orElseThrow().getWaiterCount() == 1);
        client.send(client.releaseOf(holder));
        Grant grant = waiter.get(PATIENCE.toNanos(), NANOSECONDS);
        client.send(client.releaseOf(grant));
        return grant;
    }

    /** {@return how long after a dead holder's TTL, counted from its sending, a waiter had the lock} */
    static Figures expiryLag(RealCluster cluster, Duration ttl, int tries) throws Exception {
        List<Long> lags = new ArrayList<>();
        for (int i = 0; i < tries; i++) {
            Wire leader = cluster.leader().wire();
            var client = new WireClient(() -> leader);
            String name = Names.fresh("expiry");
            AcquireRequest next = client.request(name, ttl.multipliedBy(5), ttl.multipliedBy(5));
            // To the store a holder that never calls again is a dead one.
            Grant dead = client.mustAcquire(client.request(name, ttl, Duration.ZERO));
            Grant waiter = client.mustAcquire(next);
            lags.add(waiter.answeredNanos() - dead.sentNanos() - ttl.toNanos());
            client.send(client.releaseOf(waiter));
        }
        return new Figures("expiry, later than the TTL by", lags);
    }

    /** {@return for how long after the death of the leader a client found no service, each time} */
    static Figures failover(RealCluster cluster, int kills) {
        List<Long> gaps = new ArrayList<>();
        try (HoldfastClient library = library(cluster);
                Probe probe = new Probe(Names.fresh("probe"), new ClientCaller(library))) {
            for (int i = 0; i < kills; i++) {
                probe.serviceAfter(System.nanoTime(), PATIENCE);
                NodeProcess leader = cluster.leader();
                long killed = System.nanoTime();
                leader.kill();
                gaps.add(probe.serviceAfter(killed, PATIENCE) - killed);
                cluster.heal();
            }
        }
        return new Figures("no service after kill -9 of the leader for", gaps);
    }

    /** {@return for how long a client found no service while the leader was frozen, each time} */
    static Figures freeze(RealCluster cluster, Duration span, int times) throws InterruptedException {
        List<Long> gaps = new ArrayList<>();
        try (HoldfastClient library = library(cluster);
                Probe probe = new Probe(Names.fresh("probe"), new ClientCaller(library));
                Keeper keeper = Keeper.of(library, Names.fresh("kept"), Duration.ofSeconds(5))) {
            for (int i = 0; i < times; i++) {
                probe.serviceAfter(System.nanoTime(), PATIENCE);
                NodeProcess leader = cluster.leader();
                long frozen = System.nanoTime();
                leader.pause();
                gaps.add(probe.serviceAfter(frozen, PATIENCE) - frozen);
                // That it stays frozen is the subject.
                await().pollDelay(span).atMost(span.plusSeconds(10)).until(() -> true);
                cluster.heal();
                keeper.loss().ifPresent(loss -> {
                    throw new AssertionError("a client that renewed lost its lock: " + loss);
                });
            }
        }
        return new Figures("no service after SIGSTOP of the leader for", gaps);
    }

    /** {@return a client of the library, as an application would make it} */
    static HoldfastClient library(RealCluster cluster) {
        return impatientLibrary(cluster, Duration.ofSeconds(10));
    }

    /** {@return the same, that looks for a leader for that long} */
    static HoldfastClient impatientLibrary(RealCluster cluster, Duration timeout) {
        return HoldfastClient.builder()
                .endpoints(cluster.nodes().stream()
                        .map(node -> node.address().endpoint())
                        .toList())
                .timeout(timeout)
                .build();
    }

    static List<Wire> wires(RealCluster cluster) {
        return cluster.nodes().stream().map(NodeProcess::wire).toList();
    }
}
