package io.holdfast.cli;

import io.holdfast.server.node.NodeProcess;
import java.nio.file.Path;
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
            "Exit code: 2 the configuration or what it names is not right, 70 the node failed.",
            "",
            "Examples:",
            "  holdfast server --config config/one-machine/n1.yaml",
            "  HOLDFAST_SERVER_OPTS=-Xmx2g holdfast server --config /etc/holdfast/node.yaml"
        })
final class ServerCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The configuration of the node.")
    private @Nullable Path config;

    @Override
    public Integer call() throws InterruptedException {
        if (config == null) {
            throw Failure.usage("config", "--config FILE is missing");
        }
        return NodeProcess.run(config, Printer.err());
    }
}
