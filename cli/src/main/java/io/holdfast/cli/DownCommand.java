package io.holdfast.cli;

import io.holdfast.cli.process.LocalCluster;
import io.holdfast.cli.process.ProcessException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast down}. */
@Command(
        name = "down",
        description = "Stops the cluster that 'holdfast up' started. What it knows stays, for the next 'up'.",
        footer = {
            "",
            "Each node gets SIGTERM, and SIGKILL if it still runs after 10 seconds.",
            "",
            "Examples:",
            "  holdfast down",
            "  holdfast down --data /tmp/five"
        })
final class DownCommand implements Callable<Exit> {
    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private DataOption data = new DataOption();

    @Override
    public Exit call() throws InterruptedException {
        try {
            LocalCluster.Down down = new LocalCluster(data.folder(), Printer::note).down();
            Printer.result(output.isJson() ? json(down) : text(down));
            return Exit.YES;
        } catch (ProcessException e) {
            throw data.failure(e);
        }
    }

    private static String text(LocalCluster.Down down) {
        List<String> all = Stream.concat(down.stopped().stream(), down.killed().stream())
                .sorted()
                .toList();
        return all.isEmpty() ? "nothing is up" : "stopped " + String.join(", ", all);
    }

    private static String json(LocalCluster.Down down) {
        return Json.object(json -> {
            json.writeArrayFieldStart("stopped");
            for (String id : down.stopped()) {
                json.writeString(id);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("killed");
            for (String id : down.killed()) {
                json.writeString(id);
            }
            json.writeEndArray();
        });
    }
}
