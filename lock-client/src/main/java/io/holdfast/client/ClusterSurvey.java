package io.holdfast.client;

import io.grpc.StatusRuntimeException;
import io.holdfast.v1.GetNodeStatusResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Puts together what the members say of themselves. */
final class ClusterSurvey {
    /** How often the members are asked again until their digests can be compared. */
    private static final int ROUNDS = 5;

    private static final long PAUSE_NANOS = 30_000_000;

    private final Router router;
    private final ClientClock clock;

    ClusterSurvey(Router router, ClientClock clock) {
        this.router = router;
        this.clock = clock;
    }

    /** Digests can only be compared at one applied index, so a cluster in motion is looked at a few times. */
    ClusterStatus survey() throws InterruptedException {
        Map<String, Optional<GetNodeStatusResponse>> answers = askAll(true);
        for (int round = 1; round < ROUNDS && !isComparable(answers); round++) {
            clock.sleep(PAUSE_NANOS);
            answers = ask(true);
        }
        return status(answers);
    }

    /** Looks once, and not for digests. */
    ClusterStatus look() {
        return status(askAll(false));
    }

    private Map<String, Optional<GetNodeStatusResponse>> askAll(boolean withDigest) {
        Map<String, Optional<GetNodeStatusResponse>> answers = ask(withDigest);
        // The first answers may have told of more members.
        return router.endpoints().size() > answers.size() ? ask(withDigest) : answers;
    }

    private Map<String, Optional<GetNodeStatusResponse>> ask(boolean withDigest) {
        Executor threads = command -> new Thread(command, "holdfast-survey").start();
        Map<String, CompletableFuture<Optional<GetNodeStatusResponse>>> asked = new TreeMap<>();
        for (String endpoint : router.endpoints()) {
            asked.put(endpoint, CompletableFuture.supplyAsync(() -> ask(endpoint, withDigest), threads));
        }
        Map<String, Optional<GetNodeStatusResponse>> answers = new TreeMap<>();
        asked.forEach((endpoint, answer) -> answers.put(endpoint, answer.join()));
        return answers;
    }

    private Optional<GetNodeStatusResponse> ask(String endpoint, boolean withDigest) {
        try {
            return Optional.of(router.statusOf(endpoint, withDigest));
        } catch (StatusRuntimeException e) {
            return Optional.empty(); // shown as unreachable
        }
    }

    private static boolean isComparable(Map<String, Optional<GetNodeStatusResponse>> answers) {
        return answers.values().stream()
                        .flatMap(Optional::stream)
                        .mapToLong(GetNodeStatusResponse::getAppliedIndex)
                        .distinct()
                        .count()
                <= 1;
    }

    private ClusterStatus status(Map<String, Optional<GetNodeStatusResponse>> answers) {
        List<ClusterStatus.Node> nodes = new ArrayList<>();
        Optional<String> leader = Optional.empty();
        String cluster = "";
        long term = 0;
        for (Map.Entry<String, Optional<GetNodeStatusResponse>> entry : answers.entrySet()) {
            nodes.add(node(entry.getKey(), entry.getValue()));
            if (entry.getValue().isPresent()) {
                GetNodeStatusResponse answer = entry.getValue().get();
                cluster = answer.getCluster();
                // A deposed leader may not know it yet: the greater term is right.
                if (answer.getLeaderReady() && answer.getTerm() >= term) {
                    leader = Optional.of(answer.getNodeId());
                }
                term = Math.max(term, answer.getTerm());
            }
        }
        nodes.sort(Comparator.comparing(ClusterStatus.Node::id));
        return new ClusterStatus(cluster, leader, term, nodes);
    }

    private ClusterStatus.Node node(String endpoint, Optional<GetNodeStatusResponse> answer) {
        return answer.map(it -> new ClusterStatus.Node(
                        it.getNodeId(),
                        endpoint,
                        it.getRole().name(),
                        true,
                        it.getAppliedIndex(),
                        it.getDigest(),
                        it.getLeases(),
                        it.getVersion(),
                        Math.max(1, it.getFeatureLevel()),
                        Math.max(1, it.getFeatureLevelKnown()),
                        it.getWaiting()))
                .orElseGet(() -> new ClusterStatus.Node(
                        router.idOf(endpoint).orElse(endpoint), endpoint, "UNKNOWN", false, -1, "", 0, "", 0, 0, ""));
    }
}
