package io.holdfast.cli;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockSetAcquisition;
import io.holdfast.client.LockSetGrant;
import io.holdfast.client.LockSetRequest;
import io.holdfast.client.LockSetRequest.Want;
import io.holdfast.client.Mode;
import io.holdfast.client.Owner;
import io.holdfast.client.Terms;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast lock-all}. */
@Command(
        name = "lock-all",
        description = "Acquires several locks as one: all or none, under one fencing token.",
        footer = {
            "",
            "Until all are granted none is held, so sets never deadlock with each other. All have one lease: 'renew' of"
                    + " any of them renews all. 'release' gives one back, 'release' with all the names all at once.",
            "With -o json: names[], token, logIndex, owner or session, ttlMs, remainingMs.",
            "Exit code: 0 all obtained, 1 none obtained, 2 bad input, 3 no leader within --timeout.",
            "",
            "Examples:",
            "  holdfast lock-all accounts/1 accounts/2 --ttl 10s",
            "  holdfast lock-all accounts/1 accounts/2 --wait 30s --owner transfer-7 -o json",
            "  holdfast release accounts/1 accounts/2 --owner transfer-7"
        })
final class LockAllCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private AskOptions ask = new AskOptions();

    @Parameters(index = "0..*", arity = "2..*", paramLabel = "NAME", description = "The locks: 2 to 128, each once.")
    private List<String> names = List.of();

    @Option(names = "--shared", description = "Share all of them with any number of others who share them too.")
    private boolean isShared;

    @Override
    public Exit call() throws InterruptedException {
        Terms terms = isShared ? Terms.PLAIN.withMode(Mode.SHARED) : Terms.PLAIN;
        List<Want> wants = names.stream().map(name -> new Want(name, terms)).toList();
        LockSetRequest request =
                new LockSetRequest(wants, ask.owner(), ask.ttl(), ask.patience(), ask.label(), ask.request());
        try (HoldfastClient client = cluster.client()) {
            WaitingLine waiting = new WaitingLine(String.join(", ", names));
            return switch (Caller.givingUpWhenStopped(() -> client.acquireAll(request, waiting::show))) {
                case LockSetAcquisition.Granted it -> granted(it.grant());
                case LockSetAcquisition.NotGranted no ->
                    throw AcquireCommand.notGranted(String.join(", ", names), no.why());
            };
        }
    }

    private Exit granted(LockSetGrant set) {
        Printer.result(output.isJson() ? json(set) : text(set));
        return Exit.YES;
    }

    private static String text(LockSetGrant set) {
        Grant first = set.grants().get(0);
        return String.join("\n", set.names()) + "\n  token      " + set.token()
                + (set.owner() instanceof Owner.Session ? "\n  session    " : "\n  owner      ")
                + AcquireCommand.ownerId(set.owner()) + "\n  remaining  " + Durations.text(first.remaining()) + " of "
                + Durations.text(first.ttl());
    }

    private static String json(LockSetGrant set) {
        Grant first = set.grants().get(0);
        return Json.object(json -> {
            json.writeArrayFieldStart("names");
            for (String name : set.names()) {
                json.writeString(name);
            }
            json.writeEndArray();
            Json.number(json, "token", set.token());
            Json.number(json, "logIndex", first.logIndex());
            json.writeStringField(
                    set.owner() instanceof Owner.Session ? "session" : "owner", AcquireCommand.ownerId(set.owner()));
            json.writeNumberField("ttlMs", first.ttl().toMillis());
            json.writeNumberField("remainingMs", first.remaining().toMillis());
        });
    }
}
