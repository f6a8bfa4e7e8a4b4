package io.holdfast.cli;

import io.holdfast.client.Acquisition;
import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockRequest;
import io.holdfast.client.Owner;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast acquire}. */
@Command(
        name = "acquire",
        description = "Acquires a lock and prints its fencing token.",
        footer = {
            "",
            "The lease runs until its TTL is over; 'renew' prolongs it, 'release' ends it; both need the owner. To hold"
                    + " a lock while a command runs, use 'run'.",
            "Exit code: 0 obtained, 1 not obtained, 2 bad input, 3 no leader within --timeout.",
            "",
            "Examples:",
            "  holdfast acquire orders/42 --ttl 10s",
            "  holdfast acquire orders/42 --ttl 10s --wait 30s --owner worker-7 -o json"
        })
final class AcquireCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private OwnerOptions owner = new OwnerOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock: 1 to 512 bytes.")
    private String name = "";

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = Durations.Converter.class,
            description = "How long the lease lasts, 100ms to 24h (default: ${DEFAULT-VALUE}). A session has its own.")
    private Duration ttl = Duration.ofSeconds(10);

    @Option(
            names = "--wait",
            paramLabel = "0|DURATION|forever",
            defaultValue = "0",
            converter = Durations.WaitConverter.class,
            description = "How long to wait in the queue (default: ${DEFAULT-VALUE}, only try).")
    private Duration wait = Duration.ZERO;

    @Option(
            names = "--request",
            paramLabel = "ID",
            description = "Makes a repeated call recognisable: the same 32 hexadecimal digits, the same grant.")
    private @Nullable String request;

    @Option(names = "--label", paramLabel = "TEXT", description = "Who asks, shown to people (default: user@host).")
    private @Nullable String label;

    @Override
    public Exit call() throws InterruptedException {
        String who = label == null ? Caller.label() : label;
        LockRequest asked = LockRequest.of(name)
                .withOwner(owner.owner().orElseGet(Owner::random))
                .withTtl(ttl)
                .withPatience(wait)
                .withLabel(who);
        LockRequest tagged = request == null ? asked : asked.withRequestId(request);
        try (HoldfastClient client = cluster.client()) {
            WaitingLine waiting = new WaitingLine(name);
            return switch (Caller.givingUpWhenStopped(() -> client.acquire(tagged, waiting::show))) {
                case Acquisition.Granted it -> granted(it.grant());
                case Acquisition.NotGranted no -> notGranted(no);
            };
        }
    }

    private Exit granted(Grant grant) {
        Printer.result(output.isJson() ? json(grant) : text(grant));
        return Exit.YES;
    }

    private Exit notGranted(Acquisition.NotGranted no) {
        throw new Failure(Exit.NO, no.reason().name(), "", Words.notGranted(name, no));
    }

    static String text(Grant grant) {
        boolean session = grant.owner() instanceof Owner.Session;
        return grant.name() + "\n  token      " + grant.token() + "\n  " + (session ? "session    " : "owner      ")
                + ownerId(grant) + "\n  remaining  " + Durations.text(grant.remaining()) + " of "
                + Durations.text(grant.ttl());
    }

    private static String ownerId(Grant grant) {
        return switch (grant.owner()) {
            case Owner.Session session -> session.id();
            case Owner.OneShot one -> one.id();
        };
    }

    static String json(Grant grant) {
        return Json.object(json -> {
            json.writeStringField("name", grant.name());
            Json.number(json, "token", grant.token());
            Json.number(json, "logIndex", grant.logIndex());
            json.writeStringField(grant.owner() instanceof Owner.Session ? "session" : "owner", ownerId(grant));
            json.writeNumberField("ttlMs", grant.ttl().toMillis());
            json.writeNumberField("remainingMs", grant.remaining().toMillis());
        });
    }
}
