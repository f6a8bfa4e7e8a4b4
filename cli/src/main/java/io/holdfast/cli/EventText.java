package io.holdfast.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.holdfast.client.Leader;
import io.holdfast.client.LockEvent;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** Events, a line each. */
final class EventText {
    private EventText() {}

    static String json(LockEvent event) {
        return Json.object(json -> {
            Json.number(json, "logIndex", event.logIndex());
            json.writeNumberField("number", event.number());
            Json.number(json, "leaseTime", event.leaseTimeNanos());
            json.writeStringField("event", event.kind().name());
            text(json, "name", event.name());
            text(json, event.isSession() ? "session" : "owner", event.owner());
            text(json, "ownerLabel", event.ownerLabel());
            number(json, "token", event.token());
            number(json, "tokenBefore", event.tokenBefore());
            text(json, "ownerBefore", event.ownerBefore());
            text(json, "mode", event.mode());
            text(json, "value", event.value());
            if (event.permits() != 0) {
                json.writeNumberField("permits", event.permits());
            }
            if (event.kind() == LockEvent.Kind.PERMITS_RELEASED) {
                json.writeNumberField("permitsLeft", event.permitsLeft());
            }
            text(json, "left", event.left());
            text(json, "reason", event.reason());
            text(json, "by", event.by());
        });
    }

    private static void text(JsonGenerator json, String field, String value) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(field, value);
        }
    }

    private static void number(JsonGenerator json, String field, long value) throws IOException {
        if (value != 0) {
            Json.number(json, field, value);
        }
    }

    static String line(LockEvent event) {
        StringBuilder line = new StringBuilder().append(event.logIndex()).append("  ");
        line.append(event.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        add(line, " ", event.name(), "");
        line.append(event.isSession() ? "  session " : "  owner ").append(event.owner());
        add(line, " [", event.ownerLabel(), "]");
        add(line, ", from owner ", event.ownerBefore(), "");
        add(line, ", token ", number(event.token()), "");
        add(line, ", token before ", number(event.tokenBefore()), "");
        add(line, ", ", event.mode().equals("EXCLUSIVE") ? "" : event.mode().toLowerCase(Locale.ROOT), "");
        add(line, ", permits ", number(event.permits()), "");
        add(line, ", has left ", event.kind() == LockEvent.Kind.PERMITS_RELEASED ? event.permitsLeft() + "" : "", "");
        add(line, ", ", event.left().toLowerCase(Locale.ROOT).replace('_', ' '), "");
        add(line, ", value ", event.value(), "");
        add(line, ", by ", event.by(), "");
        add(line, ": ", event.reason(), "");
        return line.toString();
    }

    private static String number(long value) {
        return value == 0 ? "" : Long.toString(value);
    }

    private static void add(StringBuilder line, String before, String text, String after) {
        if (!text.isEmpty()) {
            line.append(before).append(text).append(after);
        }
    }

    static String json(String name, Optional<Leader> leader) {
        return Json.object(json -> {
            json.writeStringField("name", name);
            json.writeBooleanField("vacant", leader.isEmpty());
            if (leader.isPresent()) {
                Leader present = leader.get();
                json.writeStringField("value", present.value());
                json.writeStringField(present.isSession() ? "session" : "owner", present.owner());
                json.writeStringField("ownerLabel", present.ownerLabel());
                Json.number(json, "token", present.token());
                Json.number(json, "logIndex", present.logIndex());
            }
        });
    }

    static String line(String name, Optional<Leader> leader) {
        return leader.map(it -> {
                    StringBuilder line = new StringBuilder(name).append(": ");
                    line.append(it.value().isEmpty() ? "(no value)" : it.value());
                    line.append("  ")
                            .append(it.isSession() ? "session " : "owner ")
                            .append(it.owner());
                    add(line, " [", it.ownerLabel(), "]");
                    return line.append(", token ").append(it.token()).toString();
                })
                .orElse(name + ": nobody leads");
    }
}
