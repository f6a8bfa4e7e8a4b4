package io.holdfast.cli;

import io.holdfast.client.Holder;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.SessionDetails;
import io.holdfast.client.SessionInfo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast session}. */
@Command(
        name = "session",
        description = "Opens, shows and closes sessions: one lease for all that a session holds.",
        subcommands = {
            SessionCommand.Open.class,
            SessionCommand.Show.class,
            SessionCommand.ListAll.class,
            SessionCommand.Close.class
        },
        footer = {
            "",
            "A session is renewed with 'renew --session ID'. When it ends, all its locks go with it.",
            "",
            "Examples:",
            "  holdfast session open --ttl 30s",
            "  holdfast acquire orders/42 --session 0123456789abcdef0123456789abcdef",
            "  holdfast session show 0123456789abcdef0123456789abcdef",
            "  holdfast session close 0123456789abcdef0123456789abcdef"
        })
final class SessionCommand {
    /** {@code holdfast session open}. */
    @Command(
            name = "open",
            description = "Opens a session and prints its id.",
            footer = {
                "",
                "Whoever knows the id may release, renew and close: keep it as a secret.",
                "With -o json: session, handle, ownerLabel, ttlMs, remainingMs, holds, waits.",
                "",
                "Examples:",
                "  holdfast session open --ttl 30s -o json"
            })
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

        @Option(
                names = "--label",
                paramLabel = "TEXT",
                description = "Who it is, shown to people (default: user@host).")
        private @Nullable String label;

        @Override
        public Exit call() throws InterruptedException {
            try (HoldfastClient client = cluster.client()) {
                SessionInfo session = client.sessions().open(ttl, label == null ? Caller.label() : label);
                Printer.result(output.isJson() ? Json.object(json -> Json.session(json, session)) : session.id());
                return Exit.YES;
            }
        }
    }

    /** {@code holdfast session show}. */
    @Command(
            name = "show",
            description = "Shows a session: whose it is, what is left of its lease, how much it holds and waits for.",
            footer = {
                "",
                "Exit code: 0 it lives, 1 it does not exist, or not any more.",
                "",
                "Examples:",
                "  holdfast session show 0123456789abcdef0123456789abcdef -o json"
            })
    static final class Show implements Callable<Exit> {
        @Mixin
        private ClientOptions cluster = new ClientOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Parameters(index = "0", paramLabel = "ID", description = "The session: 32 hexadecimal digits.")
        private String id = "";

        @Override
        public Exit call() throws InterruptedException {
            try (HoldfastClient client = cluster.client()) {
                SessionDetails details = client.sessions()
                        .get(id)
                        .orElseThrow(() -> new Failure(
                                Exit.NO,
                                "NO_SUCH_SESSION",
                                "session",
                                "session " + id + " does not exist, or not any more"));
                Printer.result(output.isJson() ? json(details) : text(details));
                return Exit.YES;
            }
        }

        private static String json(SessionDetails details) {
            return Json.object(json -> {
                Json.session(json, details.session());
                json.writeArrayFieldStart("held");
                for (Holder hold : details.holds()) {
                    Json.named(json, hold);
                }
                json.writeEndArray();
                json.writeArrayFieldStart("waitedFor");
                for (String name : details.waits()) {
                    json.writeString(name);
                }
                json.writeEndArray();
            });
        }

        private static String text(SessionDetails details) {
            SessionInfo session = details.session();
            StringBuilder text = new StringBuilder(facts(session));
            for (Holder hold : details.holds()) {
                text.append("\n  holds ").append(hold.name()).append(", ");
                text.append(Words.mode(hold.terms().mode())).append(" (token ");
                text.append(hold.token()).append(')');
            }
            details.waits().forEach(name -> text.append("\n  waits for ").append(name));
            return text.toString();
        }

        private static String facts(SessionInfo session) {
            return "session " + session.id() + "\n  handle     " + session.handle() + "\n  label      "
                    + session.ownerLabel() + "\n  remaining  " + Durations.text(session.remaining()) + " of "
                    + Durations.text(session.ttl()) + "\n  holds      " + session.holds() + "\n  waits for  "
                    + session.waits();
        }
    }

    /** {@code holdfast session list}. */
    @Command(
            name = "list",
            description = "Lists all sessions.",
            footer = {
                "",
                "With -o json a line each: session, handle, ownerLabel, ttlMs, remainingMs, holds, waits.",
                "",
                "Examples:",
                "  holdfast session list",
                "  holdfast session list -o json"
            })
    static final class ListAll implements Callable<Exit> {
        private static final List<String> HEADS =
                List.of("SESSION", "HANDLE", "TTL", "REMAINING", "HOLDS", "WAITS", "LABEL");

        @Mixin
        private ClientOptions cluster = new ClientOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Override
        public Exit call() throws InterruptedException {
            try (HoldfastClient client = cluster.client()) {
                List<SessionInfo> sessions = client.sessions().list();
                if (output.isJson()) {
                    sessions.forEach(it -> Printer.result(Json.object(json -> Json.session(json, it))));
                } else if (sessions.isEmpty()) {
                    Printer.note("there is no session");
                } else {
                    Printer.result(LockTableText.aligned(
                            HEADS, sessions.stream().map(ListAll::row).toList()));
                }
                return Exit.YES;
            }
        }

        private static List<String> row(SessionInfo session) {
            return List.of(
                    session.id(),
                    session.handle(),
                    Durations.text(session.ttl()),
                    Durations.text(session.remaining()),
                    Integer.toString(session.holds()),
                    Integer.toString(session.waits()),
                    session.ownerLabel());
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
                client.sessions().close(id);
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
