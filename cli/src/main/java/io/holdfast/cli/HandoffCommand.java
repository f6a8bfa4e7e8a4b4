package io.holdfast.cli;

import io.holdfast.client.HandOff;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Owner;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast handoff}. */
@Command(
        name = "handoff",
        description = "Passes one's lock on to another owner, ahead of the queue and without a gap.",
        footer = {
            "",
            "The new holder has a new token, printed here, and the old one is dead. If it waits for the lock, its wait is over;"
                    + " otherwise its first 'acquire' with its owner, in the same mode, finds that it holds.",
            "Exit code: 0 passed on, 1 not held by that owner, or the other cannot have it.",
            "",
            "Examples:",
            "  holdfast handoff orders/42 --owner worker-7 --to worker-8 --ttl 30s",
            "  holdfast handoff orders/42 --owner worker-7 --to-session 0123456789abcdef0123456789abcdef -o json"
        })
final class HandoffCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private OwnerOptions owner = new OwnerOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(names = "--to", paramLabel = "ID", description = "The owner who shall hold it.")
    private @Nullable String to;

    @Option(names = "--to-session", paramLabel = "ID", description = "The session that shall hold it.")
    private @Nullable String toSession;

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = Durations.Converter.class,
            description =
                    "The lease of the new owner, 100ms to 24h (default: ${DEFAULT-VALUE}), unless it waits for the"
                            + " lock or is a session.")
    private Duration ttl = Duration.ofSeconds(10);

    @Option(names = "--label", paramLabel = "TEXT", defaultValue = "", description = "Who that is, shown to people.")
    private String label = "";

    @Option(
            names = "--token",
            paramLabel = "N",
            converter = Tokens.Converter.class,
            description = "Pass on only the hold that has this token.")
    private @Nullable Long token;

    @Override
    public Exit call() throws InterruptedException {
        OptionalLong only = token == null ? OptionalLong.empty() : OptionalLong.of(token);
        try (HoldfastClient client = cluster.client()) {
            return switch (client.holds().handOff(name, owner.required(), only, target(), ttl, label)) {
                case HandOff.Done it -> done(it.token());
                case HandOff.NotHeld no -> throw no("NOT_HELD", Words.notHeld(name, no.holder()));
                case HandOff.NoSuchTarget no ->
                    throw no("NO_SUCH_SESSION", "session " + toSession + " does not exist, or not any more");
                case HandOff.TargetBusy no ->
                    throw no(
                            "TARGET_BUSY",
                            "the other holds " + name
                                    + " already, or waits for it in another mode or as part of a set");
            };
        }
    }

    private Owner target() {
        if ((to == null) == (toSession == null)) {
            throw Failure.usage("to", "one of --to and --to-session is needed, and not both");
        }
        return to != null ? new Owner.OneShot(to) : new Owner.Session(String.valueOf(toSession));
    }

    private static Failure no(String reason, String message) {
        return new Failure(Exit.NO, reason, "", message);
    }

    private Exit done(long granted) {
        String whom = String.valueOf(to != null ? to : toSession);
        Printer.result(
                output.isJson()
                        ? Json.object(json -> {
                            json.writeStringField("name", name);
                            Json.number(json, "token", granted);
                            json.writeStringField(to != null ? "owner" : "session", whom);
                        })
                        : name + " is held by " + whom + " now (token " + granted + ")");
        return Exit.YES;
    }
}
