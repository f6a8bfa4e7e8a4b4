package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.WaitEdge;
import io.holdfast.client.WaitGraph;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast waits}. */
@Command(
        name = "waits",
        description = "Shows who waits for whom: the present wait-for graph, a line for each edge.",
        footer = {
            "",
            "With -o json a line each: waiter, waiterLabel, name (the lock), blocker, blockerLabel, isHolder.",
            "",
            "Examples:",
            "  holdfast waits",
            "  holdfast waits -o json"
        })
final class WaitsCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Exit call() throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            WaitGraph graph = client.inspect().waits();
            graph.edges().forEach(edge -> Printer.result(output.isJson() ? json(edge) : Words.edge(edge)));
            if (graph.edges().isEmpty()) {
                Printer.note("nobody waits");
            } else if (graph.isCut()) {
                Printer.note("there are more");
            }
            return Exit.YES;
        }
    }

    private static String json(WaitEdge edge) {
        return Json.object(json -> {
            json.writeStringField("waiter", edge.waiter());
            json.writeStringField("waiterLabel", edge.waiterLabel());
            json.writeStringField("name", edge.name());
            json.writeStringField("blocker", edge.blocker());
            json.writeStringField("blockerLabel", edge.blockerLabel());
            json.writeBooleanField("isHolder", edge.isHolder());
        });
    }
}
