package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.ReleaseResult;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast release}. */
@Command(
        name = "release",
        description = "Releases a lock.",
        footer = {
            "",
            "Exit code: 0 released, 1 it was not held by that owner (under that token).",
            "",
            "Examples:",
            "  holdfast release orders/42 --owner worker-7",
            "  holdfast release orders/42 --owner worker-7 --token 1376256"
        })
final class ReleaseCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private OwnerOptions owner = new OwnerOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(
            names = "--token",
            paramLabel = "N",
            converter = Tokens.Converter.class,
            description = "Release only the hold that has this token.")
    private @Nullable Long token;

    @Override
    public Exit call() throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            OptionalLong only = token == null ? OptionalLong.empty() : OptionalLong.of(token);
            return switch (client.release(name, owner.required(), only)) {
                case ReleaseResult.Released it -> released(it.token());
                case ReleaseResult.NotHeld no ->
                    throw new Failure(Exit.NO, "NOT_HELD", "", Words.notHeld(name, no.holder()));
            };
        }
    }

    private Exit released(long released) {
        Printer.result(
                output.isJson()
                        ? Json.object(json -> {
                            json.writeStringField("name", name);
                            Json.number(json, "token", released);
                            json.writeBooleanField("released", true);
                        })
                        : name + " released (token " + released + ")");
        return Exit.YES;
    }
}
