package io.holdfast.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Applied;
import io.holdfast.core.Command;
import io.holdfast.core.Limits;
import io.holdfast.core.LockName;
import io.holdfast.core.LockTable;
import io.holdfast.core.Owner;
import io.holdfast.core.Position;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.server.config.HostPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Prometheus and a load balancer see of a node. */
class MetricsPortTest {
    private static final long SECOND = 1_000_000_000L;

    private final NodeMetrics metrics = new NodeMetrics();
    private final LockTable table = new LockTable(Limits.DEFAULT);
    private final HttpClient http = HttpClient.newHttpClient();
    private Health health = new Health("n1", true, Optional.of("n2"), Optional.empty());
    private MetricsPort port;

    @BeforeEach
    void open() throws IOException {
        port = new MetricsPort(new HostPort("127.0.0.1", 0), metrics, () -> health);
    }

    @AfterEach
    void close() {
        port.close();
        metrics.close();
        http.close();
    }

    @Test
    void what_the_replica_applies_is_counted() throws Exception {
        apply(new Position(7, SECOND), acquire("A", "a"), acquire("B", "a"));
        apply(new Position(8, 20 * SECOND));

        assertThat(get("/metrics").body())
                .contains("holdfast_entries_total 2.0")
                .contains("holdfast_commands_total 2.0")
                .contains("holdfast_grants_total 1.0")
                .contains("holdfast_waits_total 1.0")
                .contains("holdfast_holds_ended_total{how=\"expired\"} 1.0")
                .contains("holdfast_waits_ended_total{how=\"expired\"} 1.0")
                .contains("holdfast_applied_index 8.0")
                .contains("holdfast_leases 0.0")
                .contains("holdfast_lease_time_seconds 20.0");
    }

    @Test
    void a_commit_is_timed() throws Exception {
        metrics.committed(3_000_000);

        assertThat(get("/metrics").body())
                .contains("holdfast_commit_seconds_count 1")
                .contains("holdfast_commit_seconds_sum 0.003");
    }

    @Test
    void health_is_a_status_that_load_balancers_understand() throws Exception {
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/health").body().strip())
                .isEqualTo("{\"node\":\"n1\",\"serving\":true,\"leader\":\"n2\",\"trouble\":\"\"}");

        health = new Health("n1", false, Optional.empty(), Optional.of("no leader is known"));

        assertThat(get("/health").statusCode()).isEqualTo(503);
        assertThat(get("/health").body()).contains("no leader is known");
    }

    @Test
    void any_other_page_is_not_found() throws Exception {
        assertThat(get("/admin").statusCode()).isEqualTo(404);
    }

    private void apply(Position position, Command... commands) {
        Applied applied = table.apply(position, List.of(commands));
        metrics.replica().count(applied, table);
    }

    private static Command acquire(String owner, String name) {
        Request request = new Request.Identified(new RequestId(owner.hashCode(), 1), 0);
        return new Command.Acquire(new Owner.OneShot(owner), new LockName(name), request, 10 * SECOND, 15 * SECOND, "");
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port.port() + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
