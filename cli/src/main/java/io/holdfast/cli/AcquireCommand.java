package io.holdfast.cli;

import io.holdfast.client.Acquisition;
import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockRequest;
import io.holdfast.client.Mode;
import io.holdfast.client.Owner;
import io.holdfast.client.Terms;
import java.util.concurrent.Callable;
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
            "With -o json: name, token, logIndex, owner or session, ttlMs, remainingMs, and what was asked for of mode,"
                    + " permits, capacity, value, lockDelayMs.",
            "Exit code: 0 obtained, 1 not obtained, 2 bad input, 3 no leader within --timeout.",
            "",
            "Examples:",
            "  holdfast acquire orders/42 --ttl 10s",
            "  holdfast acquire orders/42 --ttl 10s --wait 30s --owner worker-7 -o json",
            "  holdfast acquire catalogue --shared",
            "  holdfast acquire gpu --permits 2 --capacity 8 --wait 5m"
        })
final class AcquireCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private AskOptions ask = new AskOptions();

    @Mixin
    private TermsOptions terms = new TermsOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock: 1 to 512 bytes.")
    private String name = "";

    @Option(names = "--allow-deadlock", description = "Wait even if the session would wait for itself in the end.")
    private boolean allowsDeadlock;

    @Override
    public Exit call() throws InterruptedException {
        LockRequest request = new LockRequest(
                name,
                ask.owner(),
                ask.ttl(),
                ask.patience(),
                ask.label(),
                ask.request(),
                terms.terms(),
                allowsDeadlock);
        try (HoldfastClient client = cluster.client()) {
            WaitingLine waiting = new WaitingLine(name);
            return switch (Caller.givingUpWhenStopped(() -> client.acquire(request, waiting::show))) {
                case Acquisition.Granted it -> granted(it.grant());
                case Acquisition.NotGranted no -> throw notGranted(name, no);
            };
        }
    }

    private Exit granted(Grant grant) {
        Printer.result(output.isJson() ? json(grant) : text(grant));
        return Exit.YES;
    }

    static Failure notGranted(String name, Acquisition.NotGranted no) {
        return new Failure(Exit.NO, no.reason().name(), "", Words.notGranted(name, no));
    }

    static String text(Grant grant) {
        boolean session = grant.owner() instanceof Owner.Session;
        StringBuilder text = new StringBuilder(grant.name());
        text.append("\n  token      ").append(grant.token());
        text.append(session ? "\n  session    " : "\n  owner      ").append(ownerId(grant.owner()));
        text.append("\n  remaining  ").append(Durations.text(grant.remaining()));
        text.append(" of ").append(Durations.text(grant.ttl()));
        if (!(grant.terms().mode() instanceof Mode.Exclusive)) {
            text.append("\n  mode       ").append(Words.mode(grant.terms().mode()));
        }
        return text.toString();
    }

    static String ownerId(Owner owner) {
        return switch (owner) {
            case Owner.Session session -> session.id();
            case Owner.OneShot one -> one.id();
        };
    }

    static String json(Grant grant) {
        return Json.object(json -> {
            json.writeStringField("name", grant.name());
            Json.number(json, "token", grant.token());
            Json.number(json, "logIndex", grant.logIndex());
            json.writeStringField(grant.owner() instanceof Owner.Session ? "session" : "owner", ownerId(grant.owner()));
            json.writeNumberField("ttlMs", grant.ttl().toMillis());
            json.writeNumberField("remainingMs", grant.remaining().toMillis());
            if (!grant.terms().equals(Terms.PLAIN)) {
                Json.terms(json, grant.terms());
            }
        });
    }
}
