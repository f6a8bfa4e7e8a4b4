package io.holdfast.cli;

import io.holdfast.cli.process.LocalCluster;
import io.holdfast.cli.process.ProcessException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast up}. */
@Command(
        name = "up",
        description = "Starts a cluster of real node processes on this machine, and waits until it serves.",
        footer = {
            "",
            "Node i serves clients on port + i and its peers on port + 10 + i, on loopback only. It is up until 'holdfast"
                    + " down', this terminal or not; up already: says so. Nodes that do not run are started.",
            "Each node has a folder, DATA/n1 and so on, with config.yaml, node.pid, node.log and what is replicated"
                    + " under data/. DATA/endpoints names all nodes.",
            "Exit code: 0 up, 2 bad input or a port in use, 3 no leader within --timeout, 70 a node failed.",
            "",
            "Examples:",
            "  holdfast up",
            "  holdfast up --nodes 5 --data /tmp/five --port 7500",
            "  holdfast up --fresh -o json"
        })
final class UpCommand implements Callable<Exit> {
    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private DataOption data = new DataOption();

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "How many nodes, 1 to 9 (default: 3, or as many as there are).")
    private @Nullable Integer nodes;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port below that of the first node (default: 7400, or the present one).")
    private @Nullable Integer port;

    @Option(names = "--fresh", description = "Stop and wipe the cluster that is in the folder first.")
    private boolean isFresh;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "60s",
            converter = Durations.Converter.class,
            description = "How long to wait for a leader (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(60);

    @Override
    public Exit call() throws InterruptedException {
        LocalCluster cluster = new LocalCluster(data.folder(), Printer::note);
        try {
            LocalCluster.Up up = cluster.up(Optional.ofNullable(nodes), Optional.ofNullable(port), isFresh, timeout);
            if (up.started().isEmpty()) {
                Printer.note("up already");
            } else if (up.started().size() < up.shape().nodes()) {
                Printer.note("started " + String.join(", ", up.started()) + "; the others were up already");
            }
            Printer.result(output.isJson() ? Json.cluster(up.status()) : text(cluster, up));
            return Exit.YES;
        } catch (ProcessException e) {
            throw data.failure(e);
        }
    }

    private String text(LocalCluster cluster, LocalCluster.Up up) {
        String endpoints = up.shape().endpoints();
        StringBuilder text = new StringBuilder(ClusterCommand.text(up.status()));
        text.append("\nendpoints  ").append(endpoints);
        text.append("\nconsole    none yet: this version has only gRPC");
        text.append("\nfolder     ").append(cluster.root());
        text.append("\ntry        holdfast acquire orders/42 --ttl 10s");
        if (!data.isUsual()) {
            text.append(" --endpoints ").append(endpoints);
        }
        if (up.shape().nodes() % 2 == 0) {
            Printer.note("an even number of nodes survives no more failures than one node less");
        }
        return text.toString();
    }
}
