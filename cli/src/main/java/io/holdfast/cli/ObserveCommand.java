package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Leader;
import io.holdfast.client.LeaderStream;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast observe}. */
@Command(
        name = "observe",
        description = "Shows who leads an election: the present leader first, then each change of leader or value.",
        footer = {
            "",
            "Runs until it is stopped (Ctrl-C), or --count is reached.",
            "",
            "Examples:",
            "  holdfast observe services/billing",
            "  holdfast observe services/billing -o json",
            "  holdfast observe services/billing --count 1    # who leads now"
        })
final class ObserveCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The election: the name of its lock.")
    private String name = "";

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many lines (default: never).")
    private long count;

    @Override
    public Exit call() throws InterruptedException {
        if (count < 0) {
            throw Failure.usage("--count", "--count is " + count + "; it must be 0 or more");
        }
        try (HoldfastClient client = cluster.client();
                LeaderStream leaders = client.watches().leaders(name, Printer::note)) {
            for (long shown = 1; ; shown++) {
                Optional<Leader> leader = leaders.next();
                Printer.result(output.isJson() ? EventText.json(name, leader) : EventText.line(name, leader));
                if (shown == count || Printer.out().checkError()) {
                    return Exit.YES;
                }
            }
        }
    }
}
