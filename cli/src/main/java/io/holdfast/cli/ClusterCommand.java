package io.holdfast.cli;

import io.holdfast.client.ClusterStatus;
import io.holdfast.client.HoldfastClient;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast cluster}. */
@Command(
        name = "cluster",
        description = "Looks at the cluster, and changes its members and its leader.",
        subcommands = {
            ClusterCommand.Status.class,
            MemberCommands.Members.class,
            MemberCommands.Add.class,
            MemberCommands.Remove.class,
            MemberCommands.TransferLeader.class
        },
        footer = {"", "Examples:", "  holdfast cluster status", "  holdfast cluster members"})
final class ClusterCommand {
    private static final List<String> HEADS = List.of("NODE", "ENDPOINT", "ROLE", "APPLIED INDEX", "DIGEST", "LEASES");

    /** {@code holdfast cluster status}. */
    @Command(
            name = "status",
            description = "Shows the members: who leads, who answers, how far each has applied the log.",
            footer = {
                "",
                "Nodes with the same applied index show the same digest; if not, report it. With more than 100,000 leases"
                        + " none is shown: 'backup' tells it then.",
                "With -o json: cluster, leader, term, nodes[] (id, endpoint, role, reachable, appliedIndex, digest, leases,"
                        + " version, featureLevel, featureLevelKnown).",
                "Exit code: 0 there is a leader, 3 there is none.",
                "",
                "Examples:",
                "  holdfast cluster status",
                "  holdfast cluster status -o json"
            })
    static final class Status implements Callable<Exit> {
        @Mixin
        private ClientOptions cluster = new ClientOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Override
        public Exit call() throws InterruptedException {
            try (HoldfastClient client = cluster.client()) {
                ClusterStatus status = client.clusterStatus();
                Printer.result(output.isJson() ? Json.cluster(status) : text(status));
                return status.leader().isPresent() ? Exit.YES : Exit.UNAVAILABLE;
            }
        }
    }

    static String text(ClusterStatus status) {
        String leader = status.leader()
                .map(id -> "leader " + id + ", term " + status.term())
                .orElse("no leader");
        List<List<String>> rows = status.nodes().stream()
                .map(node -> List.of(
                        node.id(),
                        node.endpoint(),
                        role(node),
                        node.isReachable() ? Long.toString(node.appliedIndex()) : "",
                        node.digest(),
                        node.isReachable() ? Long.toString(node.leases()) : ""))
                .toList();
        return (status.cluster().isEmpty() ? "cluster" : "cluster " + status.cluster()) + ": " + leader + "\n"
                + LockTableText.aligned(HEADS, rows)
                + levels(status.nodes())
                + waiting(status.nodes());
    }

    /** What nodes wait for that have no part in the cluster yet. */
    private static String waiting(List<ClusterStatus.Node> nodes) {
        return nodes.stream()
                .filter(node -> !node.waiting().isEmpty())
                .map(node -> "\n" + node.id() + ": " + node.waiting())
                .collect(Collectors.joining());
    }

    private static String role(ClusterStatus.Node node) {
        if (!node.isReachable()) {
            return "unreachable";
        }
        return node.waiting().isEmpty() ? node.role() : "waiting";
    }

    /** What an upgrade still waits for; nothing otherwise. */
    private static String levels(List<ClusterStatus.Node> nodes) {
        List<ClusterStatus.Node> up =
                nodes.stream().filter(ClusterStatus.Node::isReachable).toList();
        int level = up.stream().mapToInt(ClusterStatus.Node::featureLevel).max().orElse(0);
        List<String> further = up.stream()
                .filter(it -> it.featureLevelKnown() > level)
                .map(it -> it.id() + " knows " + it.featureLevelKnown())
                .toList();
        return further.isEmpty()
                ? ""
                : "\nfeature level " + level + "; " + String.join(", ", further)
                        + ": it is raised when all members run, and know and allow a higher one";
    }
}
