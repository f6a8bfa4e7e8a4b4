package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.snapshot.Seed;
import io.holdfast.statemachine.snapshot.StateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New clusters that begin with the state of another. */
class RaftSeedTest {
    @TempDir
    Path folder;

    private Replicas lost;
    private Replicas restored;
    private Path copy;
    private String digest = "";

    @BeforeEach
    void copyASnapshot() throws Exception {
        copy = Files.createDirectories(folder.resolve("copy"));
        lost = Replicas.start(folder.resolve("lost"), 1);
        restored = Replicas.of(folder.resolve("restored"), 3);
        for (int i = 0; i < 20; i++) {
            lost.commit(acquire("lock-" + i, "owner-" + i));
        }
        RaftNode node = lost.leader().node();
        var unused = node.takeSnapshot().get(Replicas.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        try (StateStore.Pin pin = node.pinSnapshot().orElseThrow()) {
            for (Path file : pin.checkpoint().files()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
            digest = node.read(pin).digest();
        }
    }

    @AfterEach
    void stop() {
        lost.close();
        restored.close();
    }

    @Test
    void three_nodes_go_on_from_the_state_with_greater_tokens_than_the_lost_log_could_reach() throws Exception {
        for (String id : new String[] {"n1", "n2", "n3"}) {
            RaftSeed.plant(restored.config(id), copy);
        }
        restored.startAll();

        long before = lost.leader().tokenOf("lock-19").orElseThrow().value();
        assertThat(restored.leader().tokenOf("lock-19").orElseThrow().value()).isEqualTo(before);
        assertThat(digestOf(restored.leader())).isEqualTo(digest).isEqualTo(digestOf(lost.leader()));
        lost.commit(acquire("later", "owner"));
        restored.commit(acquire("later", "owner"));
        long afterBackup = lost.leader().tokenOf("later").orElseThrow().value();
        long afterRestore = restored.leader().tokenOf("later").orElseThrow().value();
        assertThat(afterRestore - afterBackup).isGreaterThan((Seed.INDEXES_AHEAD - 100) * 65_536);
        // It is a cluster like any other: it takes snapshots, and starts again from them.
        restored.agreement();
        String state = restored.agreement();
        for (Replicas.Replica replica : restored.all()) {
            var unused = replica.node().takeSnapshot().get(Replicas.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        restored.stopAll();
        restored.startAll();
        restored.leader();
        assertThat(restored.agreement()).isEqualTo(state);
    }

    @Test
    void a_node_with_data_is_left_alone() {
        lost.stopAll();

        assertThatThrownBy(() -> RaftSeed.plant(lost.config("n1"), copy)).hasMessageContaining("is not empty");
    }

    @Test
    void damaged_files_are_refused_and_nothing_is_planted() throws IOException {
        Path table;
        try (Stream<Path> files = Files.list(copy)) {
            table = files.filter(file -> file.toString().endsWith(".sst"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(table);
        bytes[bytes.length / 2] ^= 1;
        Files.write(table, bytes);

        assertThatThrownBy(() -> RaftSeed.plant(restored.config("n1"), copy))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining(table.toString());
        assertThat(GroupFolder.of(restored.config("n1")).isEmpty()).isTrue();
    }

    private static String digestOf(Replicas.Replica replica) {
        return replica.machine().read(table -> table.digest());
    }
}
