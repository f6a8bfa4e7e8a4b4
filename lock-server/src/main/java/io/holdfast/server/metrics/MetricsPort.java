package io.holdfast.server.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.server.config.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Shows metrics and health by HTTP: {@code /metrics} in Prometheus' text format, {@code /health} as JSON with status 200 or 503. */
public final class MetricsPort implements AutoCloseable {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String JSON = "application/json";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ObjectMapper json = new ObjectMapper();

    private record Page(int status, String type, String body) {}

    /**
     * Opens the port.
     *
     * @param listen where
     * @param metrics what it shows; must outlive this
     * @param health asked for each request; quick, from any thread
     * @throws IOException if the address cannot be listened on
     */
    public MetricsPort(HostPort listen, NodeMetrics metrics, Supplier<Health> health) throws IOException {
        server = HttpServer.create(new InetSocketAddress(listen.host(), listen.port()), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            Page page = switch (exchange.getRequestURI().getPath()) {
                case "/metrics" -> new Page(200, TEXT, metrics.scrape());
                case "/health" -> page(health.get());
                default -> new Page(404, TEXT, "There are /metrics and /health here.\n");
            };
            answer(exchange, page);
        });
        server.start();
    }

    private Page page(Health health) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", health.node());
        fields.put("serving", health.isServing());
        fields.put("leader", health.leader().orElse(""));
        fields.put("trouble", health.trouble().orElse(""));
        try {
            return new Page(health.isServing() ? 200 : 503, JSON, json.writeValueAsString(fields) + "\n");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts and booleans are always JSON", e);
        }
    }

    private static void answer(HttpExchange exchange, Page page) throws IOException {
        try (exchange) {
            byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", page.type());
            boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(page.status(), hasBody ? body.length : -1);
            if (hasBody) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    /** {@return the port on which it listens} */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
