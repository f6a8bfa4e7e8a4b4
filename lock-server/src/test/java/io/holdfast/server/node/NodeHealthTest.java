package io.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.server.config.ConfigFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a load balancer hears of a node. */
class NodeHealthTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path root;

    @Test
    void a_node_with_less_disk_than_its_reserve_serves_and_says_so() throws Exception {
        String port = TestNode.freeAddress();
        Path file = TestNode.file(root, "n1", root.resolve("data"));
        Files.writeString(
                file, "bind:\n  metrics: " + port + "\ndisk:\n  reserve: 1024GiB\n", StandardOpenOption.APPEND);

        try (Node node = Node.start(ConfigFile.load(file), reason -> {});
                HttpClient http = HttpClient.newHttpClient()) {
            assertThat(node).isNotNull();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(get(http, "http://" + port + "/health"))
                            .contains("\"serving\":true")
                            .contains("\"trouble\":\"the disk is nearly full: "));
            assertThat(get(http, "http://" + port + "/metrics")).contains("holdfast_disk_bad 1.0");
        }
    }

    private static String get(HttpClient http, String address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
