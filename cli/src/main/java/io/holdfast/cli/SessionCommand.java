package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.SessionInfo;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast session}. */
@Command(
        name = "session",
        description = "Opens and closes sessions: one lease for all that a session holds.",
        subcommands = {SessionCommand.Open.class, SessionCommand.Close.class},
        footer = {
            "",
            "A session is renewed with 'renew --session ID'. When it ends, all its locks go with it.",
            "",
            "Examples:",
            "  holdfast session open --ttl 30s",
            "  holdfast acquire orders/42 --session 0123456789abcdef0123456789abcdef",
            "  holdfast session close 0123456789abcdef0123456789abcdef"
        })
final class SessionCommand {
    /** {@code holdfast session open}. */
    @Command(
            name = "open",
            description = "Opens a session and prints its id.",
            footer = {"", "Examples:", "  holdfast session open --ttl 30s -o json"})
    static final class Open implements Callable<Exit> {
        @Mixin
        private ClientOptions cluster = new ClientOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Option(
                names = "--ttl",
                paramLabel = "DURATION",
                defaultValue = "10s",
                converter = Durations.Converter.class,
                description = "How long its lease lasts, 100ms to 24h (default: ${DEFAULT-VALUE}).")
        private Duration ttl = Duration.ofSeconds(10);

        @Override
        public Exit call() throws InterruptedException {
            try (HoldfastClient client = cluster.client()) {
                SessionInfo session = client.openSession(ttl, Caller.label());
                Printer.result(
                        output.isJson()
                                ? Json.object(json -> {
                                    json.writeStringField("session", session.id());
                                    json.writeNumberField("ttlMs", session.ttl().toMillis());
                                })
                                : session.id());
                return Exit.YES;
            }
        }
    }

    /** {@code holdfast session close}. */
    @Command(
            name = "close",
            description = "Closes a session: its locks are released, its places in queues given up.",
            footer = {"", "Examples:", "  holdfast session close 0123456789abcdef0123456789abcdef"})
    static final class Close implements Callable<Exit> {
        @Mixin
        private ClientOptions cluster = new ClientOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Parameters(index = "0", paramLabel = "ID", description = "The session: 32 hexadecimal digits.")
        private String id = "";

        @Override
        public Exit call() throws InterruptedException {
            try (HoldfastClient client = cluster.client()) {
                client.closeSession(id);
                Printer.result(
                        output.isJson()
                                ? Json.object(json -> {
                                    json.writeStringField("session", id);
                                    json.writeBooleanField("closed", true);
                                })
                                : "session " + id + " closed");
                return Exit.YES;
            }
        }
    }
}
