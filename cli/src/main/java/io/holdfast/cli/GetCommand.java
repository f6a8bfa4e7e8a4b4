package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockInfo;
import io.holdfast.client.Seen;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast get}. */
@Command(
        name = "get",
        description = "Shows who holds a lock, since when, and who waits.",
        footer = {
            "",
            "Exit code: 0 it is held, waited for or kept, 1 it is free.",
            "",
            "Examples:",
            "  holdfast get orders/42",
            "  holdfast get orders/42 -o json --stale"
        })
final class GetCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(
            names = "--stale",
            description = "Ask one node for what it knows, without the leader; may be out of date, and says by how"
                    + " much at most.")
    private boolean stale;

    @Override
    public Exit call() throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            if (stale) {
                return showStale(client.stale().get(name));
            }
            LockInfo lock = requireHeld(client.get(name, false));
            Printer.result(output.isJson() ? Json.lock(lock) : LockTableText.details(lock));
            return Exit.YES;
        }
    }

    private Exit showStale(Seen<Optional<LockInfo>> seen) {
        if (!output.isJson()) {
            Printer.note(SeenText.note(seen));
        }
        LockInfo lock = requireHeld(seen.value());
        Printer.result(output.isJson() ? SeenText.json(Json.lock(lock), seen) : LockTableText.details(lock));
        return Exit.YES;
    }

    private LockInfo requireHeld(Optional<LockInfo> lock) {
        return lock.orElseThrow(() -> new Failure(Exit.NO, "FREE", "", name + " is free"));
    }
}
