package io.holdfast.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.holdfast.client.ClusterStatus;
import io.holdfast.client.Holder;
import io.holdfast.client.LockInfo;
import io.holdfast.client.Mode;
import io.holdfast.client.Notice;
import io.holdfast.client.SessionInfo;
import io.holdfast.client.Terms;
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
        hold(json, holder);
    }

    /** With the name of the lock, where that is not said otherwise. */
    static void named(JsonGenerator json, Holder holder) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", holder.name());
        hold(json, holder);
    }

    private static void hold(JsonGenerator json, Holder holder) throws IOException {
        number(json, "token", holder.token());
        number(json, "logIndex", holder.logIndex());
        json.writeStringField(holder.isSession() ? "session" : "owner", holder.owner());
        json.writeStringField("ownerLabel", holder.ownerLabel());
        json.writeNumberField("ttlMs", holder.ttl().toMillis());
        json.writeNumberField("heldMs", holder.held().toMillis());
        json.writeNumberField("remainingMs", holder.remaining().toMillis());
        terms(json, holder.terms());
        if (holder.notice().isPresent()) {
            Notice notice = holder.notice().get();
            json.writeObjectFieldStart("notice");
            json.writeNumberField("remainingMs", notice.remaining().toMillis());
            json.writeStringField("reason", notice.reason());
            json.writeStringField("by", notice.by());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    static void terms(JsonGenerator json, Terms terms) throws IOException {
        switch (terms.mode()) {
            case Mode.Exclusive it -> json.writeStringField("mode", "EXCLUSIVE");
            case Mode.Shared it -> json.writeStringField("mode", "SHARED");
            case Mode.Permits it -> {
                json.writeStringField("mode", "SEMAPHORE");
                json.writeNumberField("permits", it.permits());
                json.writeNumberField("capacity", it.capacity());
            }
        }
        json.writeStringField("value", terms.value());
        json.writeNumberField("lockDelayMs", terms.lockDelay().toMillis());
    }

    static void session(JsonGenerator json, SessionInfo session) throws IOException {
        json.writeStringField("session", session.id());
        json.writeStringField("handle", session.handle());
        json.writeStringField("ownerLabel", session.ownerLabel());
        json.writeNumberField("ttlMs", session.ttl().toMillis());
        json.writeNumberField("remainingMs", session.remaining().toMillis());
        json.writeNumberField("holds", session.holds());
        json.writeNumberField("waits", session.waits());
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
            json.writeNumberField("holderCount", lock.holderCount());
            json.writeNumberField("waiterCount", lock.waiterCount());
            if (lock.capacity() > 0) {
                json.writeNumberField("capacity", lock.capacity());
                json.writeNumberField("permitsOut", lock.permitsOut());
            }
            json.writeNumberField("delayRemainingMs", lock.delayRemaining().toMillis());
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

    static void waiter(JsonGenerator json, Waiter waiter) throws IOException {
        json.writeStartObject();
        json.writeStringField(waiter.isSession() ? "session" : "owner", waiter.owner());
        json.writeStringField("ownerLabel", waiter.ownerLabel());
        number(json, "logIndex", waiter.logIndex());
        json.writeNumberField("waitedMs", waiter.waited().toMillis());
        json.writeNumberField("leaseRemainingMs", waiter.leaseRemaining().toMillis());
        terms(json, waiter.terms());
        json.writeEndObject();
    }
}
