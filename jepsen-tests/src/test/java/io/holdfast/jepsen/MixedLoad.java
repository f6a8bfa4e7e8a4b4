package io.holdfast.jepsen;

import static org.awaitility.Awaitility.await;

import io.holdfast.client.HoldfastClient;
import io.holdfast.jepsen.history.Action;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.history.History;
import io.holdfast.jepsen.load.Caller;
import io.holdfast.jepsen.load.ClientCaller;
import io.holdfast.jepsen.load.Load;
import io.holdfast.jepsen.load.LoadPlan;
import io.holdfast.jepsen.load.WireCaller;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Wire;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A load of everything that locks do, for tests. */
final class MixedLoad {
    private MixedLoad() {}

    /** {@return a plan whose clients fight for four locks under short leases; prints its seed} */
    static LoadPlan plan(int clients) {
        long seed = Long.getLong("holdfast.seed", System.nanoTime());
        System.out.println("load: -Dholdfast.seed=" + seed);
        List<String> locks =
                IntStream.range(0, 4).mapToObj(i -> Names.fresh("load")).toList();
        return new LoadPlan(seed, clients, locks, Duration.ofSeconds(1));
    }

    /** Half of the clients use the library, half speak the protocol by hand. */
    static Load start(LoadPlan plan, RealCluster cluster, HoldfastClient library) {
        List<Wire> nodes = Scenarios.wires(cluster);
        List<Caller> callers = IntStream.range(0, plan.clients())
                .mapToObj(i -> i % 2 == 0 ? new ClientCaller(library) : new WireCaller(nodes, i % nodes.size()))
                .toList();
        return new Load(plan, callers);
    }

    /** All clients use the library, which finds members that are added. */
    static Load start(LoadPlan plan, HoldfastClient library) {
        return new Load(
                plan,
                IntStream.range(0, plan.clients())
                        .<Caller>mapToObj(i -> new ClientCaller(library))
                        .toList());
    }

    /** {@return what the clients saw, when at least so many locks were granted} */
    static History untilGranted(RealCluster cluster, int clients, int grants) {
        try (HoldfastClient library = Scenarios.library(cluster);
                Load load = start(plan(clients), cluster, library)) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> load.sofar().count(Action.ACQUIRE, Answer.YES) >= grants);
            return load.stop();
        }
    }
}
