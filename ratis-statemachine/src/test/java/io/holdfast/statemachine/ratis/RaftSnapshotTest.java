package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.snapshot.Checkpoint;
import io.holdfast.statemachine.snapshot.StateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of real nodes: taken, started from, sent. */
class RaftSnapshotTest {
    // Some of these entries fill a file of the log.
    private static final int LOCKS = 30;

    @TempDir
    Path folder;

    private Replicas replicas = Replicas.of(Path.of("none"), 1);

    @AfterEach
    void stop() {
        replicas.close();
    }

    @Test
    void a_node_starts_from_its_snapshot_and_the_log_after_it() throws Exception {
        replicas = Replicas.start(folder, 1);
        commit("before", 20);
        SnapshotTaken taken = snapshot(replicas.leader());
        commit("after", 5);
        String state = replicas.agreement();
        replicas.stopAll();

        replicas.startAll();

        replicas.leader();
        assertThat(replicas.agreement()).isEqualTo(state);
        assertThat(taken.isNew()).isTrue();
        assertThat(snapshot(replicas.leader()).changes()).isBetween(5, 20);
    }

    @Test
    void a_second_snapshot_of_the_same_state_is_the_first() throws Exception {
        replicas = Replicas.start(folder, 1);
        commit("lock", 3);

        SnapshotTaken first = snapshot(replicas.leader());
        SnapshotTaken second = snapshot(replicas.leader());

        assertThat(second.isNew()).isFalse();
        assertThat(second.index()).isEqualTo(first.index());
    }

    @Test
    void nothing_applied_yet_is_no_snapshot() throws Exception {
        replicas = Replicas.start(folder, 1);

        assertThatThrownBy(() -> snapshot(replicas.leader())).hasMessageContaining("nothing has been applied yet");
    }

    @Test
    void snapshots_come_by_themselves_and_the_log_before_them_goes() throws Exception {
        replicas = Replicas.of(folder, 1).taking(new SnapshotPolicy(20_000_000, 65_536, 2));
        replicas.startAll();
        for (int i = 0; i < 60; i++) {
            replicas.commitBytes(1 << 20);
        }

        await().atMost(Replicas.PATIENCE)
                .untilAsserted(() -> assertThat(bytes(group("n1").current())).isLessThan(45_000_000));
        try (Stream<Path> checkpoints = Files.list(group("n1").root().resolve("sm"))) {
            assertThat(checkpoints).hasSize(2);
        }
    }

    @Test
    void a_follower_for_which_the_log_is_gone_gets_the_leaders_snapshot() throws Exception {
        replicas = Replicas.start(folder, 3);
        commit("before", 5);
        Replicas.Replica behind = replicas.followers().get(0);
        replicas.agreement();
        replicas.stop(behind);
        commit("missed", LOCKS);
        purge();
        commit("after", 5);

        replicas.start(behind.id());

        String state = replicas.agreement();
        assertThat(state).isEqualTo(replicas.leader().state());
        assertThat(newest(behind.id()).index()).isPositive();
        // It is a full member from here on, and its own next snapshot is of what changed since.
        commit("later", 5);
        replicas.agreement();
        assertThat(snapshot(replicas.get(behind.id())).changes()).isLessThan(5 * LOCKS);
        replicas.stop(replicas.get(behind.id()));
        replicas.start(behind.id());
        replicas.agreement();
    }

    @Test
    void a_damaged_checkpoint_keeps_the_node_from_starting_and_is_named() throws Exception {
        replicas = Replicas.start(folder, 1);
        commit("lock", 20);
        snapshot(replicas.leader());
        replicas.stopAll();
        for (Path file : newest("n1").files()) {
            byte[] bytes = Files.readAllBytes(file);
            if (bytes.length == 0) {
                continue; // nothing to flip
            }
            byte[] flipped = bytes.clone();
            flipped[bytes.length / 2] ^= 1;
            Files.write(file, flipped);

            assertThatThrownBy(() -> replicas.start("n1"))
                    .isInstanceOfSatisfying(
                            DamagedDataException.class,
                            e -> assertThat(e.file()).isEqualTo(file))
                    .hasMessageContaining("--rejoin");
            Files.write(file, bytes);
        }
        replicas.startAll();
        replicas.leader();
    }

    @Test
    void a_pinned_snapshot_stays() throws Exception {
        replicas = Replicas.of(folder, 1).taking(new SnapshotPolicy(1 << 30, 1, 2));
        replicas.startAll();
        commit("lock", 1);
        snapshot(replicas.leader());
        try (StateStore.Pin pin = replicas.leader().node().pinSnapshot().orElseThrow()) {
            for (int i = 0; i < 4; i++) {
                commit("more-" + i, 1);
                snapshot(replicas.leader());
            }
            pin.checkpoint().verify();
        }
    }

    private void commit(String prefix, int count) {
        for (int i = 0; i < count; i++) {
            replicas.commit(acquire(prefix + "-" + i, "owner-" + i));
        }
    }

    /** Makes the leader's log begin after what the missing follower has. */
    private void purge() throws Exception {
        Path log = group(replicas.leader().id()).current();
        for (int i = 0; i < 17; i++) {
            replicas.commitBytes(1 << 20);
        }
        snapshot(replicas.leader());
        await().atMost(Replicas.PATIENCE)
                .until(() -> Files.notExists(log.resolve("log_0-0"))
                        && names(log)
                                .noneMatch(name -> name.startsWith("log_0") || name.startsWith("log_inprogress_0")));
    }

    private static Stream<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }

    private static SnapshotTaken snapshot(Replicas.Replica replica) throws Exception {
        return replica.node().takeSnapshot().get(Replicas.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private GroupFolder group(String id) {
        return GroupFolder.of(replicas.config(id));
    }

    private Checkpoint newest(String id) throws IOException {
        try (Stream<Path> checkpoints = Files.list(group(id).root().resolve("sm"))) {
            return Checkpoint.open(checkpoints.max(Path::compareTo).orElseThrow());
        }
    }

    private static long bytes(Path folder) throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                sum += Files.exists(file) ? Files.size(file) : 0;
            }
        }
        return sum;
    }
}
