package io.holdfast.jepsen.process;

import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.GetNodeStatusResponse.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Some real nodes on this machine, each in a folder of its own, and the faults that can happen to them.
 *
 * <p>Owned by one thread; connections and {@link #leader()} are everybody's.
 */
public final class RealCluster implements AutoCloseable {
    /** A JVM starts slowly when others share its two cores. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(20);
    private static final int PORT_TRIES = 5;
    private static final String MAIN = "io.holdfast.cli.Main";

    private final Path folder;
    private final Reaper reaper;
    private final JavaCommand java;
    private final String settings;

    // Grows and shrinks by the owner; read by everybody.
    private final List<NodeProcess> nodes;
    private boolean keepFolder;

    private RealCluster(Path folder, Reaper reaper, JavaCommand java, String settings, List<NodeProcess> nodes) {
        this.folder = folder;
        this.reaper = reaper;
        this.java = java;
        this.settings = settings;
        this.nodes = new CopyOnWriteArrayList<>(nodes);
    }

    /**
     * Starts nodes n1, n2, … and waits until one leads and the others know it.
     *
     * @param folder where they keep everything; made, and removed with {@link #close()}
     * @param count how many
     * @param java how each is started
     */
    public static RealCluster start(Path folder, int count, JavaCommand java) {
        return start(folder, count, java, "");
    }

    /**
     * The same with settings of its own.
     *
     * @param folder see there
     * @param count see there
     * @param java see there
     * @param settings lines of the configuration file, the same for all nodes
     */
    public static RealCluster start(Path folder, int count, JavaCommand java, String settings) {
        for (int tries = 1; ; tries++) {
            RealCluster cluster = prepared(folder, count, java, settings);
            try {
                cluster.heal();
                return cluster;
            } catch (RuntimeException e) {
                boolean collided = cluster.portWasTaken();
                String report = cluster.report();
                cluster.keepFolder = !collided;
                cluster.close();
                if (!collided || tries == PORT_TRIES) {
                    throw new IllegalStateException("the cluster does not start\n" + report, e);
                }
            }
        }
    }

    /** {@return the same nodes before their first start; {@link #heal} starts them} */
    public static RealCluster prepare(Path folder, int count, JavaCommand java) {
        return prepared(folder, count, java, "");
    }

    private static RealCluster prepared(Path folder, int count, JavaCommand java, String settings) {
        List<Integer> ports = Ports.free(2 * count);
        List<NodeAddress> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            addresses.add(new NodeAddress("n" + (i + 1), ports.get(2 * i), ports.get(2 * i + 1)));
        }
        Reaper reaper = new Reaper();
        List<NodeProcess> nodes = addresses.stream()
                .map(self -> prepared(folder.resolve(self.id()), self, addresses, java, settings, reaper))
                .toList();
        return new RealCluster(folder, reaper, java, settings, nodes);
    }

    /**
     * Starts one more node, which knows the others, and waits to be added.
     *
     * @return the node, one of {@link #nodes()} from now on
     */
    public NodeProcess startNew() {
        List<Integer> ports = Ports.free(2);
        int number = nodes.stream()
                        .mapToInt(node -> Integer.parseInt(node.id().substring(1)))
                        .max()
                        .orElse(0)
                + 1;
        NodeAddress self = new NodeAddress("n" + number, ports.get(0), ports.get(1));
        List<NodeAddress> all =
                new ArrayList<>(nodes.stream().map(NodeProcess::address).toList());
        all.add(self);
        NodeProcess node = prepared(folder.resolve(self.id()), self, all, java, settings, reaper);
        nodes.add(node);
        node.start();
        return node;
    }

    /** Looks at a node no more: it has left the cluster, or is about to. */
    public void forget(NodeProcess node) {
        node.close();
        nodes.remove(node);
    }

    private static NodeProcess prepared(
            Path home, NodeAddress self, List<NodeAddress> all, JavaCommand java, String settings, Reaper reaper) {
        Path config = home.resolve("config.yaml");
        try {
            Files.createDirectories(home);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + home, e);
        }
        NodeConfigFile.write(config, self, all, home.resolve("data"), settings);
        return new NodeProcess(self, home, java.running(MAIN, "server", "--config", config.toString()), reaper);
    }

    /** {@return all nodes, in order of their names} */
    public List<NodeProcess> nodes() {
        return List.copyOf(nodes);
    }

    /** {@return where clients connect, separated by commas} */
    public String endpoints() {
        return nodes.stream().map(node -> node.address().endpoint()).collect(Collectors.joining(","));
    }

    /** {@return the node that leads and is ready; waits for it} */
    public NodeProcess leader() {
        await("a leader").until(() -> presentLeader().isPresent());
        return presentLeader().orElseGet(this::leader);
    }

    /** {@return nodes that run and do not lead} */
    public List<NodeProcess> followers() {
        NodeProcess leader = leader();
        return nodes.stream().filter(n -> n.isRunning() && n != leader).toList();
    }

    /** {@return the node that leads at the moment and is ready, if any; of two, the one with the later term} */
    public Optional<NodeProcess> presentLeader() {
        record Claim(NodeProcess node, long term) {}
        return nodes.stream()
                .flatMap(node -> node
                        .status()
                        .filter(status -> status.getRole() == Role.LEADER && status.getLeaderReady())
                        .map(status -> new Claim(node, status.getTerm()))
                        .stream())
                .max(Comparator.comparingLong(Claim::term))
                .map(Claim::node);
    }

    /** Wakes what is frozen, starts what is down, and waits until all follow one leader and have caught up. */
    public void heal() {
        for (NodeProcess node : nodes) {
            if (node.isPaused()) {
                node.resume();
            } else if (!node.isAlive()) {
                node.start();
            }
        }
        awaitHealthy();
    }

    /** {@return what went wrong by itself: nodes that died without being killed, errors in logs} */
    public List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        for (NodeProcess node : nodes) {
            node.crash().ifPresent(exit -> complaints.add(node.id() + " ended by itself with exit code " + exit));
            node.logErrors().forEach(line -> complaints.add(node.id() + " logged: " + line));
        }
        return complaints;
    }

    /** {@return the last lines of each log, and where the rest is} */
    public String report() {
        return nodes.stream()
                .map(node -> "--- " + node.log() + "\n" + node.logTail(20))
                .collect(Collectors.joining("\n"));
    }

    /** Leaves the folder on disk, for whoever looks for the cause of a failure. */
    public void keepFolder() {
        keepFolder = true;
    }

    /** Kills all nodes. */
    @Override
    public void close() {
        nodes.forEach(NodeProcess::close);
        reaper.close();
        if (!keepFolder) {
            delete(folder);
        }
    }

    private void awaitHealthy() {
        await("all nodes follow one leader and have caught up").until(this::isHealthy);
    }

    private boolean isHealthy() {
        nodes.forEach(node -> node.crash().ifPresent(exit -> {
            throw new IllegalStateException(node.id() + " ended by itself with exit code " + exit);
        }));
        // The leader is asked first: under load it is ahead of whoever was asked before it.
        Optional<GetNodeStatusResponse> leader = presentLeader().flatMap(NodeProcess::status);
        return leader.isPresent()
                // A cluster that has just begun, or was upgraded, writes one more entry by itself.
                && leader.get().getFeatureLevel() >= featureLevelKnownToAll()
                && nodes.stream()
                        .allMatch(node -> node.status()
                                .filter(status -> follows(status, leader.get()))
                                .isPresent());
    }

    private int featureLevelKnownToAll() {
        return nodes.stream()
                .flatMap(node -> node.status().stream())
                .mapToInt(GetNodeStatusResponse::getFeatureLevelKnown)
                .min()
                .orElse(0);
    }

    private static boolean follows(GetNodeStatusResponse node, GetNodeStatusResponse leader) {
        return node.getLeaderId().equals(leader.getNodeId()) && node.getAppliedIndex() >= leader.getAppliedIndex();
    }

    private boolean portWasTaken() {
        return nodes.stream()
                .anyMatch(node -> node.crash().isPresent() && node.logTail(20).contains("in use"));
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .atMost(START_TIMEOUT);
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + folder, e);
        }
    }
}
