package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Proclamation;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast proclaim}. */
@Command(
        name = "proclaim",
        description = "Publishes another value with a lock that is held, as the leader of an election does.",
        footer = {
            "",
            "Does not renew the lease. Exit code: 0 published, 1 it was not held by that owner (under that token).",
            "",
            "Examples:",
            "  holdfast proclaim scheduler --value http://10.0.0.7:80 --owner worker-7"
        })
final class ProclaimCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private OwnerOptions owner = new OwnerOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(names = "--value", required = true, paramLabel = "TEXT", description = "The value: up to 4096 bytes.")
    private String value = "";

    @Option(
            names = "--token",
            paramLabel = "N",
            converter = Tokens.Converter.class,
            description = "Only with the hold that has this token.")
    private @Nullable Long token;

    @Override
    public Exit call() throws InterruptedException {
        OptionalLong only = token == null ? OptionalLong.empty() : OptionalLong.of(token);
        try (HoldfastClient client = cluster.client()) {
            return switch (client.holds().proclaim(name, owner.required(), only, value)) {
                case Proclamation.Proclaimed it -> proclaimed(it.token());
                case Proclamation.NotHeld no ->
                    throw new Failure(Exit.NO, "NOT_HELD", "", Words.notHeld(name, no.holder()));
            };
        }
    }

    private Exit proclaimed(long held) {
        Printer.result(
                output.isJson()
                        ? Json.object(json -> {
                            json.writeStringField("name", name);
                            Json.number(json, "token", held);
                            json.writeStringField("value", value);
                        })
                        : name + " has another value (token " + held + ")");
        return Exit.YES;
    }
}
