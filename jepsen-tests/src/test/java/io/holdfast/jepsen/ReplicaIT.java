package io.holdfast.jepsen;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.v1.GetNodeStatusResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The nodes agree, and say nothing when there is nothing to say. */
@OnSharedCluster
class ReplicaIT {
    @Test
    void nodes_at_one_applied_index_have_one_digest(RealCluster cluster) {
        MixedLoad.untilGranted(cluster, 8, 30);

        assertAgreement(cluster);
    }

    static void assertAgreement(RealCluster cluster) {
        // Leases that a load left behind still tick, so the nodes are not always at one index.
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            List<GetNodeStatusResponse> all = cluster.nodes().stream()
                    .map(node -> node.wire().statusWithDigest().orElseThrow())
                    .toList();
            Map<Long, List<GetNodeStatusResponse>> byIndex =
                    all.stream().collect(groupingBy(GetNodeStatusResponse::getAppliedIndex));
            byIndex.values()
                    .forEach(same -> assertThat(same)
                            .extracting(GetNodeStatusResponse::getDigest)
                            .containsOnly(same.getFirst().getDigest())
                            .first()
                            .asString()
                            .matches("[0-9a-f]{16}"));
            return byIndex.size() == 1;
        });
    }

    @Test
    void without_leases_the_log_does_not_grow(RealCluster cluster) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> cluster.nodes().stream()
                        .allMatch(node -> node.status().orElseThrow().getLeases() == 0));
        Map<String, String> before = written(cluster);

        IdleCost cost = IdleCost.of(cluster, Duration.ofSeconds(4));

        System.out.println(cost);
        assertThat(written(cluster)).isEqualTo(before);
    }

    /** {@return applied index of each node, size and time of last change of each of its files} */
    private static Map<String, String> written(RealCluster cluster) {
        Map<String, String> all = new TreeMap<>();
        for (NodeProcess node : cluster.nodes()) {
            all.put(node.id(), "applied " + node.status().orElseThrow().getAppliedIndex());
            try (var files = Files.walk(node.data())) {
                files.filter(Files::isRegularFile).forEach(file -> all.put(file.toString(), stamp(file)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all;
    }

    private static String stamp(Path file) {
        try {
            return Files.size(file) + " bytes, changed " + Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
