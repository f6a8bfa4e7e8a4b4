package io.holdfast.server.node;

import io.holdfast.core.LockTable;
import io.holdfast.server.config.HostPort;
import io.holdfast.server.config.ServerConfig;
import io.holdfast.server.grpc.Cluster;
import io.holdfast.server.grpc.GrpcDoor;
import io.holdfast.server.grpc.Identity;
import io.holdfast.server.grpc.WatchEncoder;
import io.holdfast.server.metrics.Health;
import io.holdfast.server.metrics.MetricsPort;
import io.holdfast.server.metrics.NodeMetrics;
import io.holdfast.server.proposer.Proposer;
import io.holdfast.server.watch.WatchHub;
import io.holdfast.statemachine.ratis.DiskState;
import io.holdfast.statemachine.ratis.FatalListener;
import io.holdfast.statemachine.ratis.LockStateMachine;
import io.holdfast.statemachine.ratis.RaftNode;
import io.holdfast.statemachine.ratis.RemovedException;
import io.micrometer.core.instrument.binder.grpc.MetricCollectingServerInterceptor;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One node of a cluster: data folder, Raft, proposer and front door, started in this order and stopped in the other. */
public final class Node implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    // Together with the two seconds that Raft may take, well below five: who stops a node does not wait for longer.
    private static final Duration DRAIN_PATIENCE = Duration.ofMillis(600);
    private static final Duration TRANSFER_PATIENCE = Duration.ofMillis(1_200);
    private static final Duration DOOR_PATIENCE = Duration.ofMillis(400);
    private static final long LOOK_AROUND_MILLIS = 250;

    /** Longer than an election takes. */
    private static final long OUT_OF_TOUCH_MILLIS = 5_000;

    private final ServerConfig config;
    private final DataFolder folder;
    private final Wiring wiring;
    private final ExecutorService answers;
    private final ScheduledThreadPoolExecutor timer;
    private final Proposer proposer;
    private final NodeOperations operations;
    private final RaftPorts ports;
    private final Freshness freshness;
    private final WatchHub watchers;
    private final RaftNode raft;
    private final GrpcDoor door;
    private final NodeMetrics metrics;
    private final FeatureLevels levels;
    private @Nullable MetricsPort metricsPort;

    // Whether somebody closes it already, and whether that is done: whoever else closes it waits for that.
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);

    // The last leader that was known. Timer's thread only.
    private Optional<String> lastLeader = Optional.empty();

    private Node(
            ServerConfig config,
            DataFolder folder,
            Wiring wiring,
            ExecutorService answers,
            ScheduledThreadPoolExecutor timer,
            Proposer proposer,
            NodeOperations operations,
            RaftPorts ports,
            Freshness freshness,
            WatchHub watchers,
            RaftNode raft,
            GrpcDoor door,
            NodeMetrics metrics) {
        this.config = config;
        this.folder = folder;
        this.wiring = wiring;
        this.answers = answers;
        this.timer = timer;
        this.proposer = proposer;
        this.operations = operations;
        this.ports = ports;
        this.freshness = freshness;
        this.watchers = watchers;
        this.raft = raft;
        this.door = door;
        this.metrics = metrics;
        this.levels = new FeatureLevels(
                config.node(),
                config.upgrade().maxFeatureLevel(),
                ports,
                proposer,
                door::featureLevelKnownBy,
                System::nanoTime);
    }

    /**
     * Starts a node.
     *
     * @param config what it is to be
     * @param fatal hears, later, that the node has stopped for good and its process should end
     * @return the running node; it serves once a leader is known
     * @throws StartException if it cannot start for a reason that an operator can mend
     */
    public static Node start(ServerConfig config, FatalListener fatal) throws StartException {
        DataFolder folder = DataFolder.open(config);
        ExecutorService answers = Executors.newSingleThreadExecutor(Threads.named("holdfast-answers"));
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, Threads.named("holdfast-timer"));
        timer.setRemoveOnCancelPolicy(true);
        NodeMetrics metrics = new NodeMetrics();
        metrics.watchDisk(config.data());
        RaftPorts ports = new RaftPorts(config, metrics::committed);
        metrics.watchCluster(ports);
        WatchHub watchers = new WatchHub(config.watch(), new WatchEncoder(), System::nanoTime);
        Wiring wiring = new Wiring(fatal, metrics.replica(), watchers);
        LockStateMachine stateMachine = new LockStateMachine(wiring, wiring);
        Freshness freshness = new Freshness(ports::heard, System::nanoTime);
        Proposer proposer = new Proposer(
                config.proposer(),
                ports,
                new LocalReplica(stateMachine, freshness),
                System::nanoTime,
                new SecureRandom().nextLong(),
                task -> runUnlessStopped(answers, task),
                (delay, action) -> after(timer, delay, action));
        wiring.plug(proposer);
        ports.plug(proposer);
        NodeOperations operations = new NodeOperations(config.node(), ports, new NodeSnapshots(version()));
        GrpcDoor door = new GrpcDoor(
                config.bind().client(),
                config.grpc(),
                config.reads(),
                new Identity(
                        config.cluster(),
                        config.node(),
                        version(),
                        config.upgrade().maxFeatureLevel()),
                proposer,
                ports,
                operations,
                watchers,
                timer,
                new MetricCollectingServerInterceptor(metrics.registry()));
        RaftNode raft = startRaft(config, stateMachine, () -> release(folder, answers, timer));
        ports.plug(raft);
        operations.plug(raft);
        Node node = new Node(
                config,
                folder,
                wiring,
                answers,
                timer,
                proposer,
                operations,
                ports,
                freshness,
                watchers,
                raft,
                door,
                metrics);
        node.open();
        return node;
    }

    private static RaftNode startRaft(ServerConfig config, LockStateMachine stateMachine, Runnable release)
            throws StartException {
        try {
            return RaftNode.start(RaftPorts.raftConfig(config), stateMachine);
        } catch (RemovedException e) {
            release.run();
            throw new StartException(config.file() + ": " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            release.run();
            throw new StartException(
                    config.file() + ": Raft cannot start on " + config.bind().raft() + ": " + root(e));
        }
    }

    private void open() throws StartException {
        proposer.start();
        watchers.start();
        try {
            door.open();
        } catch (IOException e) {
            close();
            throw new StartException(config.file() + ": cannot listen for clients on "
                    + config.bind().client() + ": " + root(e));
        }
        metrics.gauge(
                "holdfast.disk.bad",
                "1 while the data folder's disk is nearly full or takes no log entries",
                raft,
                it -> it.disk().isBad() ? 1 : 0);
        metrics.gauge(
                "holdfast.feature.level",
                "The cluster's feature level",
                proposer,
                it -> it.readStale(LockTable::featureLevel).value());
        metrics.gauge("holdfast.watchers", "Watchers of this node", watchers, WatchHub::watcherCount);
        openMetrics();
        var unused = timer.scheduleWithFixedDelay(this::lookAroundSafely, 0, LOOK_AROUND_MILLIS, TimeUnit.MILLISECONDS);
        LOG.info(
                "Node {} of cluster {} listens on {} for clients, on {} for Raft, keeps its data in {}",
                config.node(),
                config.cluster(),
                config.bind().client(),
                config.bind().raft(),
                config.data());
    }

    private void openMetrics() throws StartException {
        Optional<HostPort> listen = config.bind().metrics();
        if (listen.isEmpty()) {
            return;
        }
        try {
            metricsPort = new MetricsPort(listen.get(), metrics, this::health);
        } catch (IOException e) {
            close();
            throw new StartException(config.file() + ": cannot show metrics on " + listen.get() + ": " + root(e));
        }
    }

    private Health health() {
        Optional<String> leader = ports.view().leaderId();
        return new Health(config.node(), !stopping.get() && leader.isPresent(), leader, trouble(leader));
    }

    private Optional<String> trouble(Optional<String> leader) {
        if (stopping.get()) {
            return Optional.of("the node is stopping");
        }
        if (leader.isEmpty()) {
            return Optional.of(ports.view().waiting().orElse("no leader is known"));
        }
        DiskState disk = raft.disk();
        if (disk.isStalled()) {
            return Optional.of(
                    "the disk has taken no log entry for " + disk.stalled().toSeconds() + " s");
        }
        return disk.isLow()
                ? Optional.of("the disk is nearly full: " + disk.usableBytes() + " bytes are left")
                : Optional.empty();
    }

    /** The timer would not call again after an exception. */
    private void lookAroundSafely() {
        try {
            lookAround();
        } catch (RuntimeException e) {
            LOG.error("Node {} cannot look after itself", config.node(), e);
        }
    }

    /** Looks at files and disk, tells this node's health, and the door of a new leader. Timer's thread. */
    private void lookAround() {
        raft.poll();
        levels.poll();
        freshness.poll();
        watchers.outOfTouch(outOfTouch());
        Cluster.View view = ports.view();
        door.setServing(!stopping.get() && view.leaderId().isPresent());
        if (view.leaderId().isPresent() && !view.leaderId().equals(lastLeader)) {
            lastLeader = view.leaderId();
            view.leader().ifPresent(door::followLeader);
        }
    }

    /** Why watchers should go elsewhere: what this node tells them may be old news, or nothing. */
    private Optional<String> outOfTouch() {
        OptionalLong age = freshness.ageMillis();
        return age.isPresent() && age.getAsLong() <= OUT_OF_TOUCH_MILLIS
                ? Optional.empty()
                : Optional.of("this node hears nothing of the cluster");
    }

    /** Stops cleanly: answers what is in flight, hands leadership over, closes the door, then Raft. Takes less than five seconds. Whoever calls it while another does so waits until that is done. */
    @Override
    public void close() {
        if (!stopping.compareAndSet(false, true)) {
            awaitStopped();
            return;
        }
        try {
            stop();
        } finally {
            stopped.countDown();
        }
    }

    private void awaitStopped() {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // in a hurry: the other caller does it all the same
        }
    }

    private void stop() {
        LOG.info("Node {} is stopping", config.node());
        wiring.stop();
        door.setServing(false);
        try {
            handOver();
            // Whoever still waits is answered before the door closes: it is told to ask again elsewhere.
            proposer.close();
            watchers.close();
            door.close(DOOR_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // in a hurry: the rest is quick
            proposer.close();
        }
        operations.close();
        try {
            raft.close();
        } catch (IOException e) {
            LOG.warn("Raft did not stop cleanly: {}", e.toString());
        }
        if (metricsPort != null) {
            metricsPort.close();
        }
        metrics.close();
        release(folder, answers, timer);
        LOG.info("Node {} has stopped", config.node());
    }

    private void handOver() throws InterruptedException {
        boolean leads = ports.isLeading();
        boolean drained = proposer.drain(DRAIN_PATIENCE);
        if (leads && ports.view().members().size() > 1) {
            boolean passedOn = raft.transferLeadership(TRANSFER_PATIENCE);
            LOG.info(
                    "Leadership {}{}",
                    passedOn ? "handed over" : "could not be handed over: the others will elect a leader",
                    drained ? "" : "; some commands in flight were not answered in time");
        }
    }

    private static void release(DataFolder folder, ExecutorService answers, ScheduledThreadPoolExecutor timer) {
        timer.shutdownNow();
        answers.shutdown();
        try {
            folder.close();
        } catch (IOException e) {
            LOG.warn("Cannot let go of the data folder: {}", e.toString());
        }
    }

    private static Runnable after(ScheduledThreadPoolExecutor timer, Duration delay, Runnable action) {
        try {
            ScheduledFuture<?> planned = timer.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> planned.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {}; // stopping: the asks are told so
        }
    }

    private static void runUnlessStopped(ExecutorService answers, Runnable task) {
        try {
            answers.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Stopped before an answer could be delivered");
        }
    }

    private static String version() {
        return Optional.ofNullable(Node.class.getPackage().getImplementationVersion())
                .orElse("of a checkout");
    }

    /** The first cause, which says what an operator can mend. */
    private static String root(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.toString();
    }
}
