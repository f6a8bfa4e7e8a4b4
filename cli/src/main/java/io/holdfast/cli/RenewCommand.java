package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Owner;
import io.holdfast.client.Renewal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast renew}. */
@Command(
        name = "renew",
        description = "Renews the lease of a lock, or of a session.",
        footer = {
            "",
            "A renewal never shortens what is left. Exit code: 0 renewed, 1 it is gone.",
            "",
            "Examples:",
            "  holdfast renew orders/42 --owner worker-7",
            "  holdfast renew orders/42 --owner worker-7 --ttl 1m",
            "  holdfast renew --session 0123456789abcdef0123456789abcdef"
        })
final class RenewCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private OwnerOptions owner = new OwnerOptions();

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "The lock; not with --session.")
    private @Nullable String name;

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            converter = Durations.Converter.class,
            description = "A new TTL, 100ms to 24h (default: as it is). Not with --session.")
    private @Nullable Duration ttl;

    @Option(
            names = "--token",
            paramLabel = "N",
            converter = Tokens.Converter.class,
            description = "Renew only the hold that has this token.")
    private @Nullable Long token;

    @Override
    public Exit call() throws InterruptedException {
        Owner whose = owner.required();
        try (HoldfastClient client = cluster.client()) {
            return switch (whose) {
                case Owner.Session session -> session(client, session.id());
                case Owner.OneShot one -> hold(client, one.id());
            };
        }
    }

    private Exit hold(HoldfastClient client, String ownerId) throws InterruptedException {
        if (name == null) {
            throw Failure.usage("name", "NAME is missing; --owner renews the lease of one lock");
        }
        OptionalLong only = token == null ? OptionalLong.empty() : OptionalLong.of(token);
        String lock = name;
        return switch (client.renew(lock, ownerId, only, Optional.ofNullable(ttl))) {
            case Renewal.Renewed it -> {
                Printer.result(output.isJson() ? AcquireCommand.json(it.grant()) : AcquireCommand.text(it.grant()));
                yield Exit.YES;
            }
            case Renewal.NotHeld no -> throw new Failure(Exit.NO, "NOT_HELD", "", Words.notHeld(lock, no.holder()));
        };
    }

    private Exit session(HoldfastClient client, String id) throws InterruptedException {
        if (name != null || ttl != null || token != null) {
            throw Failure.usage("session", "NAME, --ttl and --token do not go with --session");
        }
        if (!client.sessions().renew(id)) {
            throw new Failure(
                    Exit.NO, "NO_SUCH_SESSION", "session", "session " + id + " does not exist, or not any more");
        }
        Printer.result(
                output.isJson()
                        ? Json.object(json -> json.writeStringField("session", id))
                        : "session " + id + " renewed");
        return Exit.YES;
    }
}
