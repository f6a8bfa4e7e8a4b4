package io.holdfast.cli;

import io.holdfast.client.Conversion;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Mode;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast convert}. */
@Command(
        name = "convert",
        description =
                "Changes a hold from exclusive to shared or back, with no gap in which anybody else gets the lock.",
        footer = {
            "",
            "To shared always goes. To exclusive goes only if nobody else shares the lock; it does not wait. It is a new"
                    + " grant with a new token, and the old token is dead.",
            "Exit code: 0 converted, 1 not held, or others share the lock.",
            "",
            "Examples:",
            "  holdfast convert catalogue --to shared --owner worker-7",
            "  holdfast convert catalogue --to exclusive --owner worker-7 --token 1376256 -o json"
        })
final class ConvertCommand implements Callable<Exit> {
    /** The two modes. */
    enum To {
        shared,
        exclusive
    }

    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private OwnerOptions owner = new OwnerOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(names = "--to", required = true, paramLabel = "shared|exclusive", description = "The mode wanted.")
    private To to = To.shared;

    @Option(
            names = "--token",
            paramLabel = "N",
            converter = Tokens.Converter.class,
            description = "Convert only the hold that has this token.")
    private @Nullable Long token;

    @Override
    public Exit call() throws InterruptedException {
        OptionalLong only = token == null ? OptionalLong.empty() : OptionalLong.of(token);
        try (HoldfastClient client = cluster.client()) {
            Mode mode = to == To.shared ? Mode.SHARED : Mode.EXCLUSIVE;
            return switch (client.holds().convert(name, owner.required(), only, mode)) {
                case Conversion.Converted it -> {
                    Printer.result(output.isJson() ? AcquireCommand.json(it.grant()) : AcquireCommand.text(it.grant()));
                    yield Exit.YES;
                }
                case Conversion.NotHeld no -> throw no("NOT_HELD", Words.notHeld(name, no.holder()));
                case Conversion.NotAlone no ->
                    throw no(
                            "NOT_ALONE",
                            name + " is shared by " + no.holders()
                                    + "; it cannot become exclusive, and to wait for the others could be for ever");
                case Conversion.PartOfSet no ->
                    throw no("PART_OF_SET", name + " is held as part of a set, and stays as it is until released");
                case Conversion.IsSemaphore no ->
                    throw no("OTHER_KIND", name + " is a semaphore of " + no.capacity() + " permits");
            };
        }
    }

    private static Failure no(String reason, String message) {
        return new Failure(Exit.NO, reason, "", message);
    }
}
