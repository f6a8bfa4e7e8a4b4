package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.holdfast.jepsen.process.ClassArchive;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.Wire;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.TakeSnapshotRequest;
import io.holdfast.v1.TakeSnapshotResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that die while snapshots are taken, the log is purged, and snapshots are sent. */
@Tag("faults")
class SnapshotCrashIT {
    /** Together with the requests of {@link #snapshots}: a snapshot is under way nearly all of the time. */
    static final String SETTINGS = """
            snapshot:
              log-bytes: 1MiB
              changes: 1000
              keep: 2
            """;

    private static final Duration LONG = Duration.ofHours(1);
    private static final int CLIENTS = 8;
    private static final int KEPT = 500;
    private static final String FILLER = "x".repeat(200);

    private final Path folder = Path.of("target", "clusters", "snapshots-" + System.currentTimeMillis())
            .toAbsolutePath();

    private final ConcurrentLinkedQueue<Grant> acknowledged = new ConcurrentLinkedQueue<>();
    private final AtomicInteger grants = new AtomicInteger();

    @BeforeEach
    void patience() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
        Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
        Awaitility.setDefaultPollDelay(Duration.ZERO);
    }

    @Test
    void whenever_a_node_dies_it_comes_back_with_the_right_state_and_every_grant() throws Exception {
        long seed = Long.getLong("holdfast.seed", System.nanoTime());
        System.out.println("kills: -Dholdfast.seed=" + seed);
        var random = new Random(seed);
        try (RealCluster cluster = start()) {
            List<Wire> wires = Scenarios.wires(cluster);
            AtomicBoolean isOver = new AtomicBoolean();
            List<Thread> load = Stream.concat(
                            Stream.of(() -> snapshots(wires, isOver)),
                            Stream.generate(() -> (Runnable) () -> holdAndRelease(wires, isOver))
                                    .limit(CLIENTS))
                    .map(Thread.ofVirtual()::start)
                    .toList();
            for (int round = 0; round < Rounds.orElse(3); round++) {
                NodeProcess victim = cluster.nodes().get(random.nextInt(3));
                // Any moment will do.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(400)));
                victim.kill();
                if (random.nextInt(3) == 0) {
                    int before = grants.get();
                    await().until(() -> grants.get() > before + 1_000);
                }
                cluster.heal();
            }
            isOver.set(true);
            for (Thread thread : load) {
                thread.join();
            }

            assertSameState(cluster);
            assertAllHeld(wires);
            assertThat(cluster.complaints()).isEmpty();
        }
    }

    @Test
    void a_transfer_that_is_cut_off_twice_and_by_another_leader_is_begun_again() throws Exception {
        try (RealCluster cluster = start()) {
            var before = new LeaseFlood(cluster.leader().wire());
            before.acquire(100, LONG, i -> "before/" + i);
            NodeProcess behind = cluster.followers().getFirst();
            behind.kill();
            // More than a file of the log, in names that do not compress.
            var random = new Random(7);
            var meanwhile = new LeaseFlood(cluster.leader().wire());
            for (int part = 0; part < 3; part++) {
                String prefix = "meanwhile/" + part + "/";
                meanwhile.acquire(12_000, LONG, i -> prefix + incompressible(random));
            }
            for (NodeProcess node : cluster.nodes()) {
                if (node.isRunning()) {
                    var unused = snapshot(node.wire());
                }
            }
            await("the log begins later").until(() -> !hasFirstSegment(cluster.leader()));

            for (int i = 0; i < 2; i++) {
                behind.start();
                await("a part of a snapshot").until(() -> isReceiving(behind) || hasCaughtUp(behind, cluster));
                behind.kill();
            }
            behind.start();
            await("a part of a snapshot").until(() -> isReceiving(behind) || hasCaughtUp(behind, cluster));
            NodeProcess leader = cluster.leader();
            leader.kill();
            cluster.heal();

            assertSameState(cluster);
            assertThat(cluster.complaints()).isEmpty();
        }
    }

    private RealCluster start() {
        return RealCluster.start(folder, 3, ClassArchive.quickJava(), SETTINGS);
    }

    private static void assertSameState(RealCluster cluster) {
        try {
            awaitSameState(cluster);
        } catch (ConditionTimeoutException e) {
            System.err.println(cluster.report());
            cluster.keepFolder();
            throw e;
        }
    }

    private static void awaitSameState(RealCluster cluster) {
        await("the same state everywhere").untilAsserted(() -> {
            List<GetNodeStatusResponse> all = cluster.nodes().stream()
                    .map(node -> node.wire().statusWithDigest().orElseThrow())
                    .toList();
            assertThat(all)
                    .extracting(GetNodeStatusResponse::getAppliedIndex)
                    .containsOnly(all.getFirst().getAppliedIndex());
            assertThat(all)
                    .extracting(GetNodeStatusResponse::getDigest)
                    .containsOnly(all.getFirst().getDigest());
        });
    }

    private void assertAllHeld(List<Wire> wires) {
        var client = new WireClient(wires::getFirst);
        assertThat(acknowledged)
                .isNotEmpty()
                .allSatisfy(grant -> assertThat(client.look(grant.request().getName())
                                .orElseThrow()
                                .getHolders(0)
                                .getToken())
                        .isEqualTo(grant.token()));
    }

    /** One of the clients: keeps some locks, and gives the oldest back. */
    private void holdAndRelease(List<Wire> wires, AtomicBoolean isOver) {
        AtomicInteger turn = new AtomicInteger();
        var client = new WireClient(() -> wires.get(Math.floorMod(turn.getAndIncrement(), wires.size())));
        while (!isOver.get()) {
            acknowledged.add(client.mustAcquire(client.request(Names.fresh(FILLER), LONG, Duration.ZERO)));
            if (grants.incrementAndGet() > KEPT) {
                Grant oldest = acknowledged.poll();
                if (oldest != null) {
                    client.send(client.releaseOf(oldest));
                }
            }
        }
    }

    private static void snapshots(List<Wire> wires, AtomicBoolean isOver) {
        for (int i = 0; !isOver.get(); i++) {
            try {
                var unused = snapshot(wires.get(i % wires.size()));
            } catch (StatusRuntimeException e) {
                // It is down just now.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    static TakeSnapshotResponse snapshot(Wire wire) {
        return ClusterServiceGrpc.newBlockingStub(wire.channel())
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .takeSnapshot(TakeSnapshotRequest.getDefaultInstance());
    }

    static String incompressible(Random random) {
        byte[] bytes = new byte[225];
        random.nextBytes(bytes);
        return java.util.HexFormat.of().formatHex(bytes);
    }

    static boolean hasFirstSegment(NodeProcess node) throws IOException {
        try (Stream<Path> files = Files.walk(node.data())) {
            return files.map(file -> file.getFileName().toString())
                    .anyMatch(name -> name.startsWith("log_0-") || name.equals("log_inprogress_0"));
        }
    }

    static boolean isReceiving(NodeProcess node) throws IOException {
        try (Stream<Path> groups = Files.list(node.data().resolve("raft"))) {
            for (Path group : groups.toList()) {
                Path incoming = group.resolve("tmp");
                if (Files.isDirectory(incoming)) {
                    try (Stream<Path> parts = Files.list(incoming)) {
                        if (parts.findAny().isPresent()) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }
    }

    private static boolean hasCaughtUp(NodeProcess node, RealCluster cluster) {
        return cluster.presentLeader()
                .flatMap(NodeProcess::status)
                .flatMap(leader -> node.status().filter(it -> it.getAppliedIndex() >= leader.getAppliedIndex()))
                .isPresent();
    }
}
