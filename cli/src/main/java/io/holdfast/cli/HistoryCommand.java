package io.holdfast.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.holdfast.client.History;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Inspection;
import io.holdfast.client.PastHolders;
import io.holdfast.client.PastHolders.PastHold;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast history}. */
@Command(
        name = "history",
        description = "Tells what became of a lock; with --at, who held it at some moment, and how that ended.",
        footer = {
            "",
            "The store remembers its latest events only. Its clock stands still without a leader, so an instant of the wall"
                    + " clock is as exact as the cluster had a leader since.",
            "With -o json: the events as 'watch' shows them, one a line; with --at name, holds[] (owner or session,"
                    + " ownerLabel, token, logIndex, ended: how, logIndex, agoMs).",
            "Exit code: 0 it is known, 1 it is forgotten, or has not come to that yet.",
            "",
            "Examples:",
            "  holdfast history orders/42",
            "  holdfast history orders/42 --at 51",
            "  holdfast history orders/42 --at 5m",
            "  holdfast history orders/42 --at 2026-12-03T10:15:30Z -o json"
        })
final class HistoryCommand implements Callable<Exit> {
    private static final long TOKENS_PER_ENTRY = 65_536;

    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(
            names = "--at",
            paramLabel = "INDEX|TIME",
            description = "A log index (just after that entry), how long ago (5m), or an instant"
                    + " (2026-12-03T10:15:30Z).")
    private @Nullable String at;

    @Option(
            names = "--last",
            paramLabel = "N",
            defaultValue = "100",
            description = "Without --at: how many events to show, 1 to 1000 (default: ${DEFAULT-VALUE}).")
    private int last = 100;

    @Override
    public Exit call() throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            if (at == null) {
                return events(client.inspect().history(name, last));
            }
            return switch (look(client.inspect(), at)) {
                case PastHolders.Known it -> {
                    Printer.result(output.isJson() ? json(it.holds()) : text(it.holds()));
                    yield Exit.YES;
                }
                case PastHolders.TooOld it ->
                    throw new Failure(
                            Exit.NO,
                            "TOO_OLD",
                            "at",
                            "that is forgotten; what the store remembers begins at log index " + it.firstIndex());
                case PastHolders.NotYet it ->
                    throw new Failure(Exit.NO, "NOT_YET", "at", "the log has not come to that yet");
            };
        }
    }

    private Exit events(History history) {
        history.events()
                .forEach(event -> Printer.result(output.isJson() ? EventText.json(event) : EventText.line(event)));
        if (history.events().isEmpty() && !output.isJson()) {
            Printer.note("nothing is remembered of " + name + "; what the store remembers begins at log index "
                    + history.firstIndex());
        }
        return Exit.YES;
    }

    private PastHolders look(Inspection inspection, String at) throws InterruptedException {
        if (at.matches("\\d{1,18}")) {
            return inspection.heldAt(name, Long.parseLong(at));
        }
        return inspection.heldAgo(name, ago(at));
    }

    private static Duration ago(String at) {
        if (at.matches("\\d+(ms|s|m|h)")) {
            return Durations.parse(at);
        }
        try {
            Duration ago = Duration.between(Instant.parse(at), Instant.now());
            if (ago.isNegative()) {
                throw Failure.usage("at", "--at is " + at + "; it must not be in the future");
            }
            return ago;
        } catch (DateTimeParseException e) {
            throw Failure.usage(
                    "at",
                    "--at is \"" + at + "\"; it must be a log index, a duration such as 5m, or an instant in UTC");
        }
    }

    private String text(List<PastHold> holds) {
        if (holds.isEmpty()) {
            return name + "  nobody held it";
        }
        StringBuilder text = new StringBuilder(name);
        for (PastHold hold : holds) {
            text.append("\n  held by ")
                    .append(hold.isSession() ? "session " : "owner ")
                    .append(hold.owner());
            text.append(hold.ownerLabel().isEmpty() ? "" : " [" + hold.ownerLabel() + "]");
            text.append(", token ").append(hold.token());
            text.append(", granted at log index ").append(hold.token() / TOKENS_PER_ENTRY);
            text.append(hold.ending()
                    .map(it -> "; " + it.how() + " " + Durations.text(it.ago()) + " ago at log index " + it.logIndex())
                    .orElse("; holds it now"));
        }
        return text.toString();
    }

    private String json(List<PastHold> holds) {
        return Json.object(json -> {
            json.writeStringField("name", name);
            json.writeArrayFieldStart("holds");
            for (PastHold hold : holds) {
                json(json, hold);
            }
            json.writeEndArray();
        });
    }

    private static void json(JsonGenerator json, PastHold hold) throws IOException {
        json.writeStartObject();
        json.writeStringField(hold.isSession() ? "session" : "owner", hold.owner());
        json.writeStringField("ownerLabel", hold.ownerLabel());
        Json.number(json, "token", hold.token());
        Json.number(json, "logIndex", hold.token() / TOKENS_PER_ENTRY);
        if (hold.ending().isPresent()) {
            PastHolders.Ending ending = hold.ending().get();
            json.writeObjectFieldStart("ended");
            json.writeStringField("how", ending.how());
            Json.number(json, "logIndex", ending.logIndex());
            json.writeNumberField("agoMs", ending.ago().toMillis());
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
