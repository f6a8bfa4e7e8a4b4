package io.holdfast.jepsen;

import static org.awaitility.Awaitility.await;

import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Not a test: takes the figures that the tests only bound. {@code build-tools/measure} runs it and shows the table. */
@OnSharedCluster
class Measure {
    private final List<Object> table = new ArrayList<>();

    @Test
    void figures(RealCluster cluster) throws Exception {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> cluster.nodes().stream()
                        .allMatch(node -> node.status().orElseThrow().getLeases() == 0));
        note(IdleCost.of(cluster, Duration.ofSeconds(60)));
        note(Scenarios.expiryLag(cluster, Duration.ofSeconds(2), Rounds.orElse(20)));
        Grant waited = Scenarios.longWait(cluster, Duration.ofSeconds(3), Duration.ofSeconds(30));
        note(new Figures("left of a TTL of 3 s after a wait of 30 s", List.of(waited.leftNanos())));
        note(Scenarios.failover(cluster, Rounds.orElse(10)));
        note(Scenarios.freeze(cluster, Duration.ofSeconds(15), 3));
        note(MemoryStorm.on(cluster.leader(), 10_000));
        System.out.println("\n==== figures ====");
        table.forEach(System.out::println);
    }

    private void note(Object figure) {
        // At once too: the whole takes minutes.
        System.out.println(figure);
        table.add(figure);
    }
}
