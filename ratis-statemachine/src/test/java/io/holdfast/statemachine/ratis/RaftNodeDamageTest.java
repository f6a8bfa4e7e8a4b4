package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node on the files of a real one, torn or damaged. */
class RaftNodeDamageTest {
    private static final int RESERVED = 1 << 20;

    @TempDir
    Path folder;

    private Replicas replicas;
    private Path current;

    @BeforeEach
    void writeSomeLog() throws IOException {
        replicas = Replicas.start(folder, 1);
        current = GroupFolder.of(replicas.config("n1")).current();
        for (int i = 0; i < 10; i++) {
            replicas.commit(acquire("lock-" + i, "x".repeat(100)));
        }
        replicas.stopAll();
    }

    @AfterEach
    void stop() {
        replicas.close();
    }

    @Test
    void the_log_of_a_real_node_passes_and_is_left_as_it_is() throws IOException {
        Path log = log();
        byte[] before = Files.readAllBytes(log);

        LogCheck.Extent extent = LogCheck.check(current, -1);

        assertThat(extent.lastIndex()).isEqualTo(10); // the first entry is the leader's
        assertThat(log).hasBinaryContent(before);
    }

    @Test
    void a_node_starts_with_a_torn_record_cut_off_and_goes_on() throws IOException {
        byte[] whole = Files.readAllBytes(log());
        byte[] torn = Arrays.copyOf(whole, whole.length + RESERVED);
        Arrays.fill(torn, whole.length / 512 * 512, whole.length, (byte) 0);
        Files.write(log(), torn);

        replicas.startAll();
        replicas.commit(acquire("another", "x"));

        List<Long> indexes = replicas.get("n1").recorder().indexes();
        assertThat(indexes.subList(0, 9)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        replicas.stopAll();
        assertThat(LogCheck.check(current, -1).lastIndex()).isEqualTo(indexes.get(indexes.size() - 1));
    }

    @Test
    void a_node_whose_log_is_damaged_does_not_start_and_names_the_file() throws IOException {
        byte[] bytes = Files.readAllBytes(log());
        bytes[bytes.length / 2] ^= 1;
        Files.write(log(), bytes);

        assertThatThrownBy(() -> replicas.startAll())
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining(log().toString())
                .hasMessageContaining("holdfast server --config FILE --rejoin");
    }

    @Test
    void a_changed_vote_and_a_changed_configuration_are_refused() throws IOException {
        assertThat(current.resolveSibling("raft-meta.seal")).exists();
        for (String name : List.of(RaftMeta.FILE, ConfigurationFile.FILE)) {
            Path file = current.resolve(name);
            byte[] before = Files.readAllBytes(file);
            FileTime time = Files.getLastModifiedTime(file);
            byte[] changed = before.clone();
            changed[before.length - 2] ^= 1;
            Files.write(file, changed);
            Files.setLastModifiedTime(file, time);

            assertThatThrownBy(() -> replicas.startAll())
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining(file.toString());
            Files.write(file, before);
            Files.setLastModifiedTime(file, time);
        }

        replicas.startAll();
        replicas.commit(acquire("another", "x"));
    }

    @Test
    void a_node_that_runs_notes_its_term_without_being_stopped() throws IOException {
        Files.delete(current.resolveSibling("raft-meta.seal"));
        replicas.startAll();
        Replicas.Replica node = replicas.leader();

        await().atMost(Replicas.PATIENCE).untilAsserted(() -> {
            node.node().poll();
            assertThat(MetaSeal.read(current.resolveSibling(""))
                            .map(it -> it.meta().term()))
                    .contains(node.node().status().term());
        });
    }

    private Path log() throws IOException {
        List<SegmentFile> files = SegmentFile.in(current);
        return files.get(files.size() - 1).path();
    }
}
