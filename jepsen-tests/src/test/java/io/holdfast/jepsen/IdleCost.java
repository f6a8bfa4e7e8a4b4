package io.holdfast.jepsen;

import static org.awaitility.Awaitility.await;

import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a cluster costs that has nothing to do.
 *
 * @param percentOfOneCore processor time of each node over the time that was looked at; the leader is marked
 */
record IdleCost(Map<String, Double> percentOfOneCore) {
    /** Looks for that long. */
    static IdleCost of(RealCluster cluster, Duration span) {
        String leader = cluster.leader().id();
        Map<String, Duration> before = new TreeMap<>();
        cluster.nodes().forEach(node -> before.put(node.id(), node.cpuTime()));
        // The silence is the subject.
        await().pollDelay(span).atMost(span.plusSeconds(10)).until(() -> true);
        Map<String, Double> percent = new TreeMap<>();
        for (NodeProcess node : cluster.nodes()) {
            double used = node.cpuTime().minus(before.get(node.id())).toNanos();
            percent.put(node.id() + (node.id().equals(leader) ? " (leader)" : ""), 100 * used / span.toNanos());
        }
        return new IdleCost(percent);
    }

    double worst() {
        return percentOfOneCore.values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElseThrow();
    }

    @Override
    public String toString() {
        return "idle, % of one core: "
                + percentOfOneCore.entrySet().stream()
                        .map(e -> String.format(Locale.ROOT, "%s %.1f", e.getKey(), e.getValue()))
                        .collect(Collectors.joining(", "));
    }
}
