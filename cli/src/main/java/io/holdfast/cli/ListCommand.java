package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockInfo;
import io.holdfast.client.Seen;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast list}. */
@Command(
        name = "list",
        description = "Lists the locks that are held, by name.",
        footer = {"", "Examples:", "  holdfast list", "  holdfast list orders/ -o json"})
final class ListCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PREFIX",
            defaultValue = "",
            description = "Only names that begin with this, byte for byte.")
    private String prefix = "";

    @Option(
            names = "--stale",
            description = "Ask one node for what it knows, without the leader; may be out of date, and says by how"
                    + " much at most.")
    private boolean stale;

    @Override
    public Exit call() throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            Optional<Seen<List<LockInfo>>> seen =
                    stale ? Optional.of(client.stale().list(prefix)) : Optional.empty();
            List<LockInfo> locks = seen.isPresent() ? seen.get().value() : client.list(prefix, false);
            if (output.isJson()) {
                locks.forEach(lock -> Printer.result(
                        seen.map(it -> SeenText.json(Json.lock(lock), it)).orElseGet(() -> Json.lock(lock))));
                return Exit.YES;
            }
            seen.ifPresent(it -> Printer.note(SeenText.note(it)));
            if (locks.isEmpty()) {
                Printer.note("no lock is held" + (prefix.isEmpty() ? "" : " whose name begins with " + prefix));
            } else {
                Printer.result(LockTableText.table(locks));
            }
            return Exit.YES;
        }
    }
}
