package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockInfo;
import io.holdfast.client.Owner;
import io.holdfast.client.Wait;
import io.holdfast.client.Waiter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast why}. */
@Command(
        name = "why",
        description = "Tells why one does not get a lock: one's place in the queue, who is ahead, who holds it.",
        footer = {
            "",
            "Without an owner: who holds it, and the queue.",
            "With -o json: name, place, waiter, ahead[], others[] (the rest of its set), lock (as 'get' shows it, without"
                    + " the queue).",
            "Exit code: 0 shown, 1 that owner does not wait for it, or it is free.",
            "",
            "Examples:",
            "  holdfast why orders/42 --owner worker-8",
            "  holdfast why orders/42 -o json"
        })
final class WhyCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private OwnerOptions owner = new OwnerOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Override
    public Exit call() throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            Optional<Owner> who = owner.owner();
            if (who.isEmpty()) {
                LockInfo lock =
                        client.get(name, false).orElseThrow(() -> new Failure(Exit.NO, "FREE", "", name + " is free"));
                Printer.result(output.isJson() ? Json.lock(lock) : LockTableText.details(lock));
                return Exit.YES;
            }
            Wait wait = client.inspect().why(name, who.get()).orElseThrow(() -> notWaiting(who.get()));
            Printer.result(output.isJson() ? json(wait) : text(wait));
            return Exit.YES;
        }
    }

    private Failure notWaiting(Owner who) {
        String message = AcquireCommand.ownerId(who) + " does not wait for " + name + "; 'get' shows who holds it";
        return new Failure(Exit.NO, "NOT_WAITING", "", message);
    }

    private String text(Wait wait) {
        StringBuilder text = new StringBuilder(LockTableText.details(wait.lock()));
        int place = 1;
        for (Waiter ahead : wait.ahead()) {
            text.append("\n  waiting ").append(place++).append(": ").append(Words.waiting(ahead));
        }
        if (wait.ahead().size() < wait.place() - 1) {
            text.append("\n  …");
        }
        text.append("\n  waiting ").append(wait.place()).append(": ").append(Words.waiting(wait.waiter()));
        text.append(", the one asked about");
        if (!wait.others().isEmpty()) {
            text.append("\n  as one set with ").append(String.join(", ", wait.others()));
            text.append(", and may have to wait for one of these");
        }
        return text.toString();
    }

    private String json(Wait wait) {
        return Json.object(json -> {
            json.writeStringField("name", name);
            json.writeNumberField("place", wait.place());
            json.writeFieldName("waiter");
            Json.waiter(json, wait.waiter());
            json.writeArrayFieldStart("ahead");
            for (Waiter ahead : wait.ahead()) {
                Json.waiter(json, ahead);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("others");
            for (String other : wait.others()) {
                json.writeString(other);
            }
            json.writeEndArray();
            json.writeFieldName("lock");
            json.writeRawValue(Json.lock(wait.lock()));
        });
    }
}
