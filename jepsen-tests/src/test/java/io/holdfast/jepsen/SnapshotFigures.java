package io.holdfast.jepsen;

import io.holdfast.jepsen.process.JavaCommand;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.TakeSnapshotRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Not a test: what snapshots cost, on real nodes. {@code build-tools/measure-snapshots} runs it. */
class SnapshotFigures {
    private static final int LEASES = Integer.getInteger("holdfast.leases", 1_000_000);
    private static final int COMMANDS = Integer.getInteger("holdfast.commands", 2_000_000);
    private static final int NAMES = 1_000;
    private static final Duration DAY = Duration.ofHours(23);

    /** None comes by itself before there are that many changes. */
    private static final String SELDOM = "snapshot:\n  log-bytes: 1GiB\n  changes: 1000000\n";

    private static final Pattern TAKEN = Pattern.compile(
            "Snapshot at log index \\d+: (\\d+) changes, (\\d+) ms, of which applying waited for (\\d+); (\\d+) KiB");

    /** A million leases do not fit into the heap that is enough for other tests. */
    private final JavaCommand java = JavaCommand.likeThisJvm().with("-Xmx2g");

    @TempDir
    Path folder;

    @Test
    void a_million_leases() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder.resolve("many"), 3, java, SELDOM)) {
            NodeProcess leader = cluster.leader();
            long heapBefore = leader.liveHeapBytes();
            long began = System.nanoTime();
            var flood = new LeaseFlood(leader.wire());
            flood.acquire(LEASES, DAY, i -> "lease/" + i);
            say(String.format(
                    Locale.ROOT, "%,d leases with a lock each, acquired in %.0f s", LEASES, secondsSince(began)));
            snapshot(leader);
            say(String.format(
                    Locale.ROOT,
                    "live heap per lease: %.0f bytes",
                    (leader.liveHeapBytes() - heapBefore) / (double) LEASES));
            say(String.format(Locale.ROOT, "first snapshot: %s", lastTaken(leader)));
            for (int round = 0; round < 5; round++) {
                String prefix = "more/" + round + "/";
                flood.acquire(10_000, DAY, i -> prefix + i);
                snapshot(leader);
                say(String.format(Locale.ROOT, "snapshot after 10,000 changes: %s", lastTaken(leader)));
            }
            say(String.format(
                    Locale.ROOT,
                    "data folder: %,d KiB, of which checkpoints %,d KiB",
                    kib(leader.data()),
                    kib(checkpoints(leader))));

            NodeProcess follower = cluster.followers().getFirst();
            snapshot(follower);
            follower.kill();
            began = System.nanoTime();
            follower.start();
            cluster.heal();
            say(String.format(
                    Locale.ROOT,
                    "restart of a follower, from the start of its process until it has caught up: %.1f s",
                    secondsSince(began)));
        }
    }

    @Test
    void two_million_commands_over_a_thousand_names() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder.resolve("long"), 3, java)) {
            NodeProcess leader = cluster.leader();
            var flood = new LeaseFlood(leader.wire());
            long most = 0;
            long began = System.nanoTime();
            for (int done = 0; done < COMMANDS; done += 2 * NAMES) {
                flood.acquire(NAMES, DAY, i -> "name/" + i);
                flood.release(NAMES, i -> "name/" + i);
                if (done % 40_000 == 0) {
                    most = Math.max(most, kib(leader.data()));
                }
                if (done % (COMMANDS / 5) == 0) {
                    say(String.format(
                            Locale.ROOT,
                            "after %,d commands (%.0f s): data folder %,d KiB, live heap %,d KiB",
                            done,
                            secondsSince(began),
                            kib(leader.data()),
                            leader.liveHeapBytes() >> 10));
                }
            }
            say(String.format(Locale.ROOT, "data folder at most: %,d KiB", most));
        }
    }

    private static void snapshot(NodeProcess node) {
        var unused = ClusterServiceGrpc.newBlockingStub(node.wire().channel())
                .withDeadlineAfter(5, TimeUnit.MINUTES)
                .takeSnapshot(TakeSnapshotRequest.getDefaultInstance());
    }

    private static String lastTaken(NodeProcess node) throws IOException {
        List<MatchResult> all =
                TAKEN.matcher(Files.readString(node.log())).results().toList();
        MatchResult last = all.getLast();
        return "%s changes, %s ms, applying waited for %s ms, %s KiB"
                .formatted(last.group(1), last.group(2), last.group(3), last.group(4));
    }

    private static Path checkpoints(NodeProcess node) throws IOException {
        try (Stream<Path> groups = Files.list(node.data().resolve("raft"))) {
            return groups.map(group -> group.resolve("sm"))
                    .filter(Files::isDirectory)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Space on the disk: a file under several names counts once. */
    private static long kib(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.flatMap(SnapshotFigures::size)
                            .distinct()
                            .mapToLong(Size::bytes)
                            .sum()
                    >> 10;
        }
    }

    private record Size(Object inode, long bytes) {}

    private static Stream<Size> size(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                return Stream.empty();
            }
            return Stream.of(new Size(Files.getAttribute(file, "unix:ino"), Files.size(file)));
        } catch (IOException e) {
            return Stream.empty(); // deleted just now
        }
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    private static void say(String figure) {
        System.out.println(figure);
    }
}
