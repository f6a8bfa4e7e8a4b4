package io.holdfast.cli.process;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How many nodes, and where they listen on loopback: node i serves clients on port + i, Raft on port + 10 + i (and Redis clients, later, on port + 20 + i).
 *
 * @param nodes 1 to 9
 * @param port the port below the first
 */
public record ClusterShape(int nodes, int port) {
    /** What {@code up} starts unless told otherwise. */
    public static final ClusterShape USUAL = new ClusterShape(3, 7400);

    static final String HOST = "127.0.0.1";

    private static final int MOST_NODES = 9;
    private static final int RAFT_OFFSET = 10;
    private static final int LAST_OFFSET = 29;
    private static final int LAST_PORT = 65_535;

    /** Checks both. */
    public ClusterShape {
        if (nodes < 1 || nodes > MOST_NODES) {
            throw ProcessException.usage("nodes", "--nodes is " + nodes + "; it must be 1 to " + MOST_NODES);
        }
        if (port < 1 || port > LAST_PORT - LAST_OFFSET) {
            throw ProcessException.usage(
                    "port",
                    "--port is " + port + "; it must be 1 to " + (LAST_PORT - LAST_OFFSET)
                            + ", for nodes use up to 29 ports above it");
        }
    }

    /**
     * The endpoints of all nodes.
     *
     * @return host:port,host:port,…
     */
    public String endpoints() {
        return numbers().stream().map(this::endpoint).collect(Collectors.joining(","));
    }

    List<Integer> numbers() {
        return IntStream.rangeClosed(1, nodes).boxed().toList();
    }

    String id(int number) {
        return "n" + number;
    }

    int clientPort(int number) {
        return port + number;
    }

    int raftPort(int number) {
        return port + RAFT_OFFSET + number;
    }

    String endpoint(int number) {
        return HOST + ":" + clientPort(number);
    }

    /** The configuration of a node, as {@code server --config} reads it. */
    String config(int number) {
        StringBuilder yaml = new StringBuilder("# Written by 'holdfast up' when it first started this node.\n");
        yaml.append("cluster: local\n");
        yaml.append("node: ").append(id(number)).append('\n');
        yaml.append("data: data\n"); // beside the file
        yaml.append("members:\n");
        for (int member : numbers()) {
            yaml.append("  - id: ").append(id(member)).append('\n');
            yaml.append("    client: ").append(endpoint(member)).append('\n');
            yaml.append("    raft: ")
                    .append(HOST)
                    .append(':')
                    .append(raftPort(member))
                    .append('\n');
        }
        return yaml.toString();
    }
}
