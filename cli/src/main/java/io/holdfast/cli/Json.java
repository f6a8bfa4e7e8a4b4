package io.holdfast.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.holdfast.client.ClusterStatus;
import io.holdfast.client.Holder;
import io.holdfast.client.LockInfo;
import io.holdfast.client.Waiter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Results as JSON, one line each. 64-bit numbers are strings: a JavaScript number cannot hold a token. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** Writes the fields of an object. */
    interface Fields {
        void to(JsonGenerator json) throws IOException;
    }

    static String object(Fields fields) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(line)) {
            json.writeStartObject();
            fields.to(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot happen in memory", e);
        }
        return line.toString();
    }

    static void number(JsonGenerator json, String field, long value) throws IOException {
        json.writeStringField(field, Long.toString(value));
    }

    static void holder(JsonGenerator json, Holder holder) throws IOException {
        json.writeStartObject();
        number(json, "token", holder.token());
        number(json, "logIndex", holder.logIndex());
        json.writeStringField(holder.isSession() ? "session" : "owner", holder.owner());
        json.writeStringField("ownerLabel", holder.ownerLabel());
        json.writeNumberField("ttlMs", holder.ttl().toMillis());
        json.writeNumberField("heldMs", holder.held().toMillis());
        json.writeNumberField("remainingMs", holder.remaining().toMillis());
        json.writeEndObject();
    }

    static String lock(LockInfo lock) {
        return object(json -> {
            json.writeStringField("name", lock.name());
            json.writeStringField("mode", lock.mode());
            json.writeArrayFieldStart("holders");
            for (Holder holder : lock.holders()) {
                holder(json, holder);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("waiters");
            for (Waiter waiter : lock.waiters()) {
                waiter(json, waiter);
            }
            json.writeEndArray();
            json.writeNumberField("waiterCount", lock.waiterCount());
        });
    }

    static String cluster(ClusterStatus status) {
        return object(json -> {
            json.writeStringField("cluster", status.cluster());
            json.writeStringField("leader", status.leader().orElse(""));
            number(json, "term", status.term());
            json.writeArrayFieldStart("nodes");
            for (ClusterStatus.Node node : status.nodes()) {
                json.writeStartObject();
                json.writeStringField("id", node.id());
                json.writeStringField("endpoint", node.endpoint());
                json.writeStringField("role", node.role());
                json.writeBooleanField("reachable", node.isReachable());
                number(json, "appliedIndex", node.appliedIndex());
                json.writeStringField("digest", node.digest());
                number(json, "leases", node.leases());
                json.writeStringField("version", node.version());
                json.writeStringField("waiting", node.waiting());
                json.writeNumberField("featureLevel", node.featureLevel());
                json.writeNumberField("featureLevelKnown", node.featureLevelKnown());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static void waiter(JsonGenerator json, Waiter waiter) throws IOException {
        json.writeStartObject();
        json.writeStringField(waiter.isSession() ? "session" : "owner", waiter.owner());
        json.writeStringField("ownerLabel", waiter.ownerLabel());
        number(json, "logIndex", waiter.logIndex());
        json.writeNumberField("waitedMs", waiter.waited().toMillis());
        json.writeNumberField("leaseRemainingMs", waiter.leaseRemaining().toMillis());
        json.writeEndObject();
    }
}
