package io.holdfast.jepsen.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** An operation as one line of JSON. 64-bit numbers are strings, as in the public API. */
final class OperationJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private OperationJson() {}

    static String write(Operation operation) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("id", operation.id());
        node.put("client", operation.client());
        node.put("action", operation.action().name());
        node.put("lock", operation.lock());
        node.put("invokedNanos", Long.toString(operation.invokedNanos()));
        if (operation.completedNanos() != Operation.NEVER) {
            node.put("completedNanos", Long.toString(operation.completedNanos()));
        }
        node.put("answer", operation.answer().name());
        operation.lease().ifPresent(lease -> {
            ObjectNode inner = node.putObject("lease");
            inner.put("token", Long.toString(lease.token()));
            inner.put("ttlNanos", Long.toString(lease.ttlNanos()));
            inner.put("sentNanos", Long.toString(lease.sentNanos()));
            inner.put("deadlineNanos", Long.toString(lease.deadlineNanos()));
        });
        if (operation.token() != 0) {
            node.put("token", Long.toString(operation.token()));
        }
        if (!operation.note().isEmpty()) {
            node.put("note", operation.note());
        }
        return node.toString();
    }

    /** @throws IllegalArgumentException if the line is not an operation */
    static Operation read(String line) {
        try {
            JsonNode node = MAPPER.readTree(line);
            return new Operation(
                    number(node, "id"),
                    node.path("client").asText(),
                    Action.valueOf(node.path("action").asText()),
                    node.path("lock").asText(),
                    number(node, "invokedNanos"),
                    node.has("completedNanos") ? number(node, "completedNanos") : Operation.NEVER,
                    Answer.valueOf(node.path("answer").asText()),
                    lease(node.path("lease")),
                    node.has("token") ? number(node, "token") : 0,
                    node.path("note").asText(""));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + line, e);
        }
    }

    private static Optional<Lease> lease(JsonNode node) {
        return node.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Lease(
                        number(node, "token"),
                        number(node, "ttlNanos"),
                        number(node, "sentNanos"),
                        number(node, "deadlineNanos")));
    }

    private static long number(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (value.isMissingNode()) {
            throw new IllegalArgumentException("no " + field + " in " + node);
        }
        return Long.parseLong(value.asText());
    }
}
