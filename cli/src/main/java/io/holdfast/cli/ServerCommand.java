package io.holdfast.cli;

import io.holdfast.cli.process.Signals;
import io.holdfast.server.node.NodeProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast server}. */
@Command(
        name = "server",
        description = "Runs one node in the foreground, until it is told to stop (SIGTERM, Ctrl-C).",
        footer = {
            "",
            "A node that leads hands leadership over before it stops. config/holdfast.yaml shows every setting.",
            "HOLDFAST_SERVER_OPTS holds more options for the JVM of a node.",
            "SIGTERM and Ctrl-C stop it in less than 5 seconds; a second one ends it at once.",
            "With --rejoin a node whose data is lost or damaged begins anew: what it had is moved to"
                    + " <data>.aside-<time>, never deleted; then it asks the other members to take it in again.",
            "Exit code: 0 it was told to stop, 2 the configuration or what it names is not right, 70 the node failed.",
            "",
            "Examples:",
            "  holdfast server --config config/one-machine/n1.yaml",
            "  holdfast server --config /etc/holdfast/node.yaml --rejoin",
            "  HOLDFAST_SERVER_OPTS=-Xmx2g holdfast server --config /etc/holdfast/node.yaml"
        })
final class ServerCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The configuration of the node.")
    private @Nullable Path config;

    @Option(
            names = "--rejoin",
            description =
                    "Move the node's old data aside first. For once, not for a service's definition: each start would"
                            + " do it again.")
    private boolean isRejoining;

    @Override
    public Integer call() throws InterruptedException {
        if (config == null) {
            throw Failure.usage("config", "--config FILE is missing");
        }
        return NodeProcess.run(
                config, isRejoining, Printer.err(), handler -> Signals.handle(List.of("TERM", "INT"), handler));
    }
}
