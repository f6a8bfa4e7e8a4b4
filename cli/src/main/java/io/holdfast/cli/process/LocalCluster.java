package io.holdfast.cli.process;

import io.holdfast.client.ClusterStatus;
import io.holdfast.client.HoldfastClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A cluster of real node processes on this machine: what {@code up} and {@code down} do. */
public final class LocalCluster {
    private static final int TAIL_LINES = 20;
    private static final long LOOK_MILLIS = 20;

    /** Longer than a node takes to hand leadership over and stop. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);

    private final ClusterFolder folder;
    private final Consumer<String> messages;

    /**
     * What {@code up} found and did.
     *
     * @param shape the cluster
     * @param started the ids of the nodes that had to be started; empty if all ran
     * @param status how the cluster stands
     */
    public record Up(ClusterShape shape, List<String> started, ClusterStatus status) {}

    /**
     * What {@code down} did.
     *
     * @param stopped the ids of the nodes that stopped
     * @param killed the ids of those that had to be killed
     */
    public record Down(List<String> stopped, List<String> killed) {}

    /**
     * A cluster in a folder.
     *
     * @param root the folder; need not exist
     * @param messages gets lines for people
     */
    public LocalCluster(Path root, Consumer<String> messages) {
        this.folder = ClusterFolder.at(root);
        this.messages = messages;
    }

    /**
     * Where it is.
     *
     * @return absolute
     */
    public Path root() {
        return folder.root();
    }

    /**
     * Starts what does not run, and waits until the cluster serves.
     *
     * @param nodes how many; empty for as many as there are, or the usual number
     * @param port below the first node's; empty for the present or usual one
     * @param isFresh whether to wipe first what is there
     * @param patience how long to wait for a leader
     * @return how it stands
     * @throws ProcessException if it cannot be done; nothing that this call started is left then, unless only the leader is missing
     * @throws InterruptedException if interrupted
     */
    public Up up(Optional<Integer> nodes, Optional<Integer> port, boolean isFresh, Duration patience)
            throws InterruptedException {
        return folder.alone(() -> {
            if (isFresh) {
                wipe();
            }
            ClusterShape shape = shape(nodes, port);
            Map<LocalNode, Process> started = start(shape);
            if (!started.isEmpty()) {
                folder.writeEndpoints(shape);
            }
            ClusterStatus status = awaitLeader(shape, started, System.nanoTime() + patience.toNanos());
            return new Up(shape, started.keySet().stream().map(LocalNode::id).toList(), status);
        });
    }

    private void wipe() throws InterruptedException {
        Optional<ClusterShape> old = folder.shape();
        if (old.isPresent()) {
            stop(old.get());
            folder.wipe(old.get());
        }
    }

    /** What is there decides; options may only say the same. */
    private ClusterShape shape(Optional<Integer> nodes, Optional<Integer> port) {
        Optional<ClusterShape> present = folder.shape();
        ClusterShape usual = present.orElse(ClusterShape.USUAL);
        ClusterShape wanted = new ClusterShape(nodes.orElse(usual.nodes()), port.orElse(usual.port()));
        if (present.isPresent() && !present.get().equals(wanted)) {
            throw ProcessException.usage(
                    nodes.isPresent() ? "nodes" : "port",
                    "the cluster in " + folder.root() + " has " + usual.nodes() + " nodes above port " + usual.port()
                            + "; name another folder with --data, or wipe it with --fresh");
        }
        return wanted;
    }

    private Map<LocalNode, Process> start(ClusterShape shape) throws InterruptedException {
        List<LocalNode> missing = folder.nodes(shape).stream()
                .filter(node -> node.running().isEmpty())
                .toList();
        for (LocalNode node : missing) {
            node.portsInUse().findFirst().ifPresent(port -> {
                throw ProcessException.usage(
                        "port",
                        "port " + port + ", which " + node.id()
                                + " needs, is in use by another program; stop that, or choose others with --port");
            });
        }
        folder.claim(shape);
        Map<LocalNode, Process> started = new TreeMap<>(Comparator.comparing(LocalNode::number));
        NodeCommand command = NodeCommand.likeThisJvm();
        for (LocalNode node : missing) {
            try {
                started.put(node, node.start(command));
            } catch (IOException e) {
                abandon(started);
                throw ProcessException.failed("cannot start " + node.id() + ": " + e.getMessage());
            }
        }
        return started;
    }

    /** Whether the feature level is as high as the nodes allow: the leader raises it just after the start. */
    private static boolean hasAllFeatures(ClusterStatus status) {
        int allowed = status.nodes().stream()
                .mapToInt(ClusterStatus.Node::featureLevelKnown)
                .min()
                .orElse(0);
        return status.nodes().stream().anyMatch(node -> node.featureLevel() >= allowed);
    }

    private ClusterStatus awaitLeader(ClusterShape shape, Map<LocalNode, Process> started, long end)
            throws InterruptedException {
        // Ports first: a gRPC channel that was refused once waits a second before it tries again.
        await(end, started, () -> folder.nodes(shape).stream().allMatch(LocalNode::isListening));
        try (HoldfastClient client = HoldfastClient.builder()
                .endpoints(Arrays.asList(shape.endpoints().split(",", -1)))
                .build()) {
            while (true) {
                ClusterStatus status = client.clusterStatus();
                boolean isWhole = status.nodes().size() == shape.nodes()
                        && status.nodes().stream().allMatch(ClusterStatus.Node::isReachable);
                boolean isReady = isWhole && hasAllFeatures(status);
                if (status.leader().isPresent() && (isReady || System.nanoTime() - end >= 0)) {
                    return status;
                }
                if (System.nanoTime() - end >= 0) {
                    throw new ProcessException(
                            ProcessException.Kind.NO_LEADER,
                            "",
                            "the nodes run, but no leader came up in time; look into " + folder.root()
                                    + "/n*/node.log, and stop them with 'holdfast down'");
                }
                refuseTheDead(started);
                Thread.sleep(LOOK_MILLIS);
            }
        }
    }

    private void await(long end, Map<LocalNode, Process> started, BooleanSupplier condition)
            throws InterruptedException {
        while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
            refuseTheDead(started);
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** A node that dies at its start has said why in its log. */
    private void refuseTheDead(Map<LocalNode, Process> started) throws InterruptedException {
        for (Map.Entry<LocalNode, Process> entry : started.entrySet()) {
            if (entry.getValue().isAlive()) {
                continue;
            }
            LocalNode node = entry.getKey();
            int code = entry.getValue().exitValue();
            messages.accept("last lines of " + node.log() + ":\n" + node.logTail(TAIL_LINES));
            abandon(started);
            throw new ProcessException(
                    code == 2 ? ProcessException.Kind.USAGE : ProcessException.Kind.FAILED,
                    "",
                    node.id() + " ended at its start with exit code " + code + "; nothing was left running");
        }
    }

    private static void abandon(Map<LocalNode, Process> started) throws InterruptedException {
        started.values().forEach(Process::destroyForcibly);
        for (Map.Entry<LocalNode, Process> entry : started.entrySet()) {
            try {
                entry.getValue().waitFor();
                entry.getKey().forget();
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "cannot remove the pid file of " + entry.getKey().id(), e);
            }
        }
    }

    /**
     * Stops what runs.
     *
     * @return what was stopped
     * @throws ProcessException if there is no cluster in the folder
     * @throws InterruptedException if interrupted
     */
    public Down down() throws InterruptedException {
        ClusterShape shape = folder.shape()
                .orElseThrow(() -> ProcessException.usage("data", "there is no cluster in " + folder.root()));
        return folder.alone(() -> stop(shape));
    }

    private Down stop(ClusterShape shape) throws InterruptedException {
        Map<LocalNode, ProcessHandle> running = new TreeMap<>(Comparator.comparing(LocalNode::number));
        folder.nodes(shape).forEach(node -> node.running().ifPresent(process -> running.put(node, process)));
        running.values().forEach(ProcessHandle::destroy);
        long end = System.nanoTime() + STOP_GRACE.toNanos();
        await(
                end,
                Map.of(),
                () -> running.keySet().stream().allMatch(node -> node.running().isEmpty()));
        List<String> stopped = new ArrayList<>();
        List<String> killed = new ArrayList<>();
        for (Map.Entry<LocalNode, ProcessHandle> entry : running.entrySet()) {
            if (entry.getKey().running().isPresent()) {
                messages.accept(entry.getKey().id() + " did not stop within " + STOP_GRACE.toSeconds() + " s; killed");
                entry.getValue().destroyForcibly();
                killed.add(entry.getKey().id());
            } else {
                stopped.add(entry.getKey().id());
            }
        }
        await(
                end + STOP_GRACE.toNanos(),
                Map.of(),
                () -> running.keySet().stream().allMatch(node -> node.running().isEmpty()));
        for (LocalNode node : folder.nodes(shape)) {
            if (node.running().isEmpty()) {
                forget(node);
            }
        }
        return new Down(stopped, killed);
    }

    private static void forget(LocalNode node) {
        try {
            node.forget();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the pid file of " + node.id(), e);
        }
    }
}
