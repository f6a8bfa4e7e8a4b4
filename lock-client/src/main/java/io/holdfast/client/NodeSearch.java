package io.holdfast.client;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;

/** Finds the endpoint of a particular node, whoever leads. */
final class NodeSearch {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Router router;
    private final ClientClock clock;

    NodeSearch(Router router, ClientClock clock) {
        this.router = router;
        this.clock = clock;
    }

    /**
     * Finds a node by its id.
     *
     * @throws HoldfastException.OperationRefused if nodes answer, and none of them knows it
     * @throws HoldfastException.Unavailable if it does not answer
     */
    String named(String nodeId) throws InterruptedException {
        return search("node " + nodeId, status -> {
            Optional<ClusterStatus.Node> node =
                    status.nodes().stream().filter(it -> it.id().equals(nodeId)).findFirst();
            if (node.isEmpty() && status.nodes().stream().anyMatch(ClusterStatus.Node::isReachable)) {
                throw new HoldfastException.OperationRefused("NO_SUCH_MEMBER", "no member has the id " + nodeId);
            }
            return node.filter(ClusterStatus.Node::isReachable);
        });
    }

    /**
     * Finds the follower that is furthest, or else the leader.
     *
     * @throws HoldfastException.Unavailable if no node answers
     */
    String bestForBackup() throws InterruptedException {
        return search(
                "any node",
                status -> status.nodes().stream()
                        .filter(ClusterStatus.Node::isReachable)
                        .max(Comparator.comparing(
                                        (ClusterStatus.Node it) -> it.role().equals("FOLLOWER"))
                                .thenComparing(it -> it.role().equals("LEADER"))
                                .thenComparing(ClusterStatus.Node::appliedIndex)));
    }

    private String search(String what, Function<ClusterStatus, Optional<ClusterStatus.Node>> choice)
            throws InterruptedException {
        long end = clock.nanoTime() + router.timeout().toNanos();
        while (true) {
            Optional<ClusterStatus.Node> found = choice.apply(new ClusterSurvey(router, clock).look());
            if (found.isPresent()) {
                return found.get().endpoint();
            }
            if (clock.nanoTime() - end >= 0) {
                throw new HoldfastException.Unavailable(
                        false,
                        what + " did not answer within " + router.timeout().toMillis() + " ms");
            }
            clock.sleep(PAUSE.toNanos());
        }
    }
}
