package io.holdfast.statemachine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Command;
import io.holdfast.core.Limits;
import io.holdfast.core.LockName;
import io.holdfast.core.LockTable;
import io.holdfast.core.Owner;
import io.holdfast.core.Position;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateStoreTest {
    private static final String CLUSTER = "test";

    @TempDir
    Path root;

    private Optional<StateStore> open = Optional.empty();
    private long index;

    @AfterEach
    void close() {
        open.ifPresent(StateStore::close);
    }

    @Test
    void a_store_without_anything_begins_with_a_new_table() throws IOException {
        Loaded loaded = reopen();

        assertThat(loaded.index()).isZero();
        assertThat(loaded.table().digest()).isEqualTo(new LockTable(Limits.DEFAULT).digest());
        assertThat(store().newest()).isEmpty();
    }

    @Test
    void the_state_comes_back_as_it_was_with_term_and_index() throws IOException {
        Loaded loaded = reopen();
        acquire(loaded, 100);
        Checkpoint checkpoint = save(loaded, 7).orElseThrow();
        acquire(loaded, 3);
        String digestAtCheckpoint = digestOf(reopen());

        Loaded again = reopen();

        assertThat(again.term()).isEqualTo(7);
        assertThat(again.index()).isEqualTo(checkpoint.index()).isEqualTo(100);
        assertThat(digestOf(again)).isEqualTo(digestAtCheckpoint).isNotEqualTo(digestOf(loaded));
        assertThat(again.table().leaseCount()).isEqualTo(100);
    }

    @Test
    void many_snapshots_each_of_what_changed_add_up_to_the_whole() throws IOException {
        Loaded loaded = reopen();
        for (int round = 0; round < 12; round++) {
            acquire(loaded, 50);
            release(loaded, 20);
            assertThat(save(loaded, round)).isPresent();
        }

        assertThat(digestOf(reopen())).isEqualTo(digestOf(loaded));
    }

    @Test
    void a_table_that_was_loaded_from_a_checkpoint_saves_only_what_changed_since() throws IOException {
        Loaded first = reopen();
        acquire(first, 100);
        save(first, 1);
        Loaded second = reopen();
        acquire(second, 1);

        Batch batch = take(second, 1);

        assertThat(batch.changes().present()).hasSize(1);
        assertThat(store().save(batch)).isPresent();
        assertThat(digestOf(reopen())).isEqualTo(digestOf(second));
    }

    @Test
    void changes_of_a_table_that_was_loaded_anew_meanwhile_are_not_saved() throws IOException {
        Loaded loaded = reopen();
        acquire(loaded, 1);
        Batch batch = take(loaded, 1);
        store().load();

        assertThat(store().save(batch)).isEmpty();
        assertThat(store().newest()).isEmpty();
    }

    @Test
    void nothing_gets_a_name_while_ratis_puts_another_checkpoint_in_its_place() throws IOException {
        Loaded loaded = reopen();
        acquire(loaded, 1);
        store().pause();

        assertThat(save(loaded, 1)).isEmpty();
        assertThat(root.resolve("sm")).doesNotExist();
    }

    @Test
    void a_batch_that_could_not_be_written_is_written_by_the_next_try() throws IOException {
        Loaded loaded = reopen();
        acquire(loaded, 10);
        save(loaded, 1);
        acquire(loaded, 10);
        Batch batch = take(loaded, 1);
        // A file where the folder of drafts should be.
        Path drafts = root.resolve("drafts");
        Trees.delete(drafts);
        Files.createFile(drafts);
        assertThatThrownBy(() -> store().save(batch)).isInstanceOf(IOException.class);
        Files.delete(drafts);

        assertThat(store().save(batch)).isPresent();

        assertThat(digestOf(reopen())).isEqualTo(digestOf(loaded));
    }

    @Test
    void old_checkpoints_are_deleted_but_for_the_newest_and_the_pinned() throws IOException {
        Loaded loaded = reopen();
        acquire(loaded, 1);
        save(loaded, 1);
        StateStore.Pin pin = store().pinNewest().orElseThrow();
        for (int i = 0; i < 4; i++) {
            acquire(loaded, 1);
            save(loaded, 1);
        }

        store().deleteOld(2);
        assertThat(names()).containsExactly("snapshot.1_1", "snapshot.1_4", "snapshot.1_5");
        pin.checkpoint().verify();
        pin.close();
        store().deleteOld(2);
        assertThat(names()).containsExactly("snapshot.1_4", "snapshot.1_5");
        assertThat(digestOf(reopen())).isEqualTo(digestOf(loaded));
    }

    @Test
    void what_a_crash_left_half_made_or_half_received_is_swept_away() throws IOException {
        Loaded loaded = reopen();
        acquire(loaded, 1);
        save(loaded, 1);
        Files.createDirectories(root.resolve("drafts/snapshot.1_9"));
        Files.createDirectories(root.resolve("tmp/snapshot-4711/snapshot.1_9"));
        Files.createDirectories(root.resolve("sm.tmp20261203-101500/snapshot.1_0"));

        assertThat(StateStore.check(root, CLUSTER)).isEqualTo(1);

        assertThat(root.resolve("drafts")).doesNotExist();
        assertThat(root.resolve("tmp")).doesNotExist();
        assertThat(root.resolve("sm.tmp20261203-101500")).doesNotExist();
    }

    @Test
    void checkpoints_that_ratis_had_moved_away_when_it_crashed_come_back() throws IOException {
        Loaded loaded = reopen();
        acquire(loaded, 1);
        save(loaded, 1);
        close();
        Files.move(root.resolve("sm"), root.resolve("sm.tmp20261203-101500"));

        assertThat(StateStore.check(root, CLUSTER)).isEqualTo(1);
        assertThat(digestOf(reopen())).isEqualTo(digestOf(loaded));
    }

    @Test
    void one_flipped_bit_in_any_file_of_the_newest_checkpoint_is_refused_by_name() throws IOException {
        Loaded loaded = reopen();
        acquire(loaded, 20);
        Checkpoint checkpoint = save(loaded, 1).orElseThrow();
        for (Path file : checkpoint.files()) {
            byte[] bytes = Files.readAllBytes(file);
            if (bytes.length == 0) {
                continue; // nothing to flip
            }
            byte[] flipped = bytes.clone();
            flipped[bytes.length / 2] ^= 4;
            Files.write(file, flipped);
            assertThatThrownBy(() -> StateStore.check(root, CLUSTER))
                    .isInstanceOfSatisfying(
                            DamagedDataException.class,
                            e -> assertThat(e.file()).isEqualTo(file));
            Files.write(file, bytes);
        }
        assertThat(StateStore.check(root, CLUSTER)).isEqualTo(20);
    }

    @Test
    void a_checkpoint_of_another_cluster_is_refused() throws IOException {
        Loaded loaded = reopen();
        acquire(loaded, 1);
        save(loaded, 1);

        assertThatThrownBy(() -> StateStore.check(root, "other")).hasMessageContaining("of cluster test");
    }

    private Loaded reopen() throws IOException {
        close();
        assertThat(StateStore.check(root, CLUSTER)).isGreaterThanOrEqualTo(-1);
        open = Optional.of(new StateStore(root, CLUSTER, Limits.DEFAULT));
        return store().load();
    }

    private StateStore store() {
        return open.orElseThrow();
    }

    private Optional<Checkpoint> save(Loaded loaded, long term) throws IOException {
        return store().save(take(loaded, term));
    }

    private static Batch take(Loaded loaded, long term) {
        return new Batch(loaded.table().takeChanges(), term, loaded.generation());
    }

    private static String digestOf(Loaded loaded) {
        return loaded.table().digest();
    }

    private void acquire(Loaded loaded, int count) {
        index = Math.max(index, loaded.table().appliedIndex());
        for (int i = 0; i < count; i++) {
            index++;
            apply(
                    loaded,
                    new Command.Acquire(
                            new Owner.OneShot("owner-" + index),
                            new LockName("lock-" + index),
                            new Request.Identified(new RequestId(index, 1), 0),
                            10_000_000_000L,
                            0,
                            ""));
        }
    }

    /** The newest ones. */
    private void release(Loaded loaded, int count) {
        long last = index;
        for (long of = last; of > last - count; of--) {
            index++;
            apply(
                    loaded,
                    new Command.Release(
                            new Owner.OneShot("owner-" + of),
                            new LockName("lock-" + of),
                            new Request.Identified(new RequestId(index, 2), 0),
                            Optional.empty()));
        }
    }

    private void apply(Loaded loaded, Command command) {
        var unused = loaded.table().apply(new Position(index, index), List.of(command));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> paths = Files.list(root.resolve("sm"))) {
            return paths.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}
