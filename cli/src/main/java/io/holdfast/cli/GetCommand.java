package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockInfo;
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

    @Option(names = "--stale", description = "Ask one node for what it knows, without the leader; may be behind.")
    private boolean stale;

    @Override
    public Exit call() throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            Optional<LockInfo> lock = client.get(name, stale);
            if (lock.isEmpty()) {
                throw new Failure(Exit.NO, "FREE", "", name + " is free");
            }
            Printer.result(output.isJson() ? Json.lock(lock.get()) : LockTableText.details(lock.get()));
            return Exit.YES;
        }
    }
}
