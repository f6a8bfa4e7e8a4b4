package io.holdfast.cli;

import io.holdfast.client.ClusterAdmin;
import io.holdfast.client.ClusterStatus;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.SnapshotInfo;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast snapshot}. */
@Command(
        name = "snapshot",
        description = "Has nodes take a snapshot now, and remove the log before it.",
        footer = {
            "",
            "Nodes take snapshots by themselves (snapshot.log-bytes, snapshot.changes); this is for the moment before an"
                    + " upgrade or a move. Clients notice nothing of it.",
            "With -o json: a line for each node, with node, term, index, taken (false: it had one there already), bytes.",
            "Exit code: 0 each node that runs has one, 1 one of them could not take it, 3 no node answers.",
            "",
            "Examples:",
            "  holdfast snapshot",
            "  holdfast snapshot --node n2 -o json"
        })
final class SnapshotCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--node", paramLabel = "ID", description = "Only on this node (default: on all that run).")
    private @Nullable String node;

    @Override
    public Exit call() throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            ClusterAdmin admin = client.admin();
            if (node != null) {
                show(admin.takeSnapshot(node));
                return Exit.YES;
            }
            Exit exit = Exit.YES;
            for (String id : running(admin)) {
                exit = take(admin, id) ? exit : Exit.NO;
            }
            return exit;
        }
    }

    private static List<String> running(ClusterAdmin admin) {
        List<ClusterStatus.Node> nodes = admin.nodes().nodes();
        if (nodes.stream().noneMatch(ClusterStatus.Node::isReachable)) {
            throw new Failure(Exit.UNAVAILABLE, "UNAVAILABLE", "endpoints", "no node answers");
        }
        nodes.stream()
                .filter(it -> !it.isReachable())
                .forEach(it -> Printer.note("holdfast: " + it.id() + " does not answer: left out"));
        return nodes.stream()
                .filter(ClusterStatus.Node::isReachable)
                .map(ClusterStatus.Node::id)
                .toList();
    }

    private boolean take(ClusterAdmin admin, String id) throws InterruptedException {
        try {
            show(admin.takeSnapshot(id));
            return true;
        } catch (HoldfastException e) {
            // The others are asked all the same.
            Printer.note("holdfast: " + id + ": " + e.getMessage());
            return false;
        }
    }

    private void show(SnapshotInfo snapshot) {
        Printer.result(output.isJson() ? json(snapshot) : text(snapshot));
    }

    static String text(SnapshotInfo it) {
        return it.nodeId() + (it.isNew() ? " took a snapshot" : " has a snapshot already") + " at index " + it.index()
                + ", term " + it.term() + " (" + Bytes.text(it.bytes()) + ")";
    }

    static String json(SnapshotInfo it) {
        return Json.object(json -> {
            json.writeStringField("node", it.nodeId());
            Json.number(json, "term", it.term());
            Json.number(json, "index", it.index());
            json.writeBooleanField("taken", it.isNew());
            Json.number(json, "bytes", it.bytes());
        });
    }
}
