package io.holdfast.statemachine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
    @TempDir
    Path folder;

    @Test
    void a_sealed_folder_tells_what_it_is() throws IOException {
        Checkpoint checkpoint = sealed();

        checkpoint.verify();
        assertThat(checkpoint.cluster()).isEqualTo("größe 1");
        assertThat(checkpoint.term()).isEqualTo(3);
        assertThat(checkpoint.index()).isEqualTo(1L << 34);
        assertThat(checkpoint.featureLevel()).isEqualTo(2);
        assertThat(checkpoint.bytes()).isEqualTo(16);
        assertThat(checkpoint.files())
                .extracting(file -> file.getFileName().toString())
                .containsExactly("000009.sst", "CURRENT", "EMPTY", "checkpoint.manifest");
    }

    /** The file is never edited: it lies on somebody's disk. */
    @Test
    void the_manifest_of_format_1_is_read_for_ever() throws IOException {
        Checkpoint checkpoint = sealed();
        String text = """
                holdfast checkpoint 1
                cluster größe 1
                term 3
                index 17179869184
                feature level 2
                file 000009.sst 10 280c069e
                file CURRENT 6 353dd8be
                file EMPTY 0 00000000
                """;

        assertThat(Files.readString(manifest(checkpoint))).startsWith(text).hasLineCount(9);
    }

    @Test
    void what_ratis_puts_beside_files_it_received_does_no_harm() throws IOException {
        Checkpoint checkpoint = sealed();
        write(checkpoint.folder().resolve("CURRENT.md5"), "00");
        write(checkpoint.folder().resolve("checkpoint.manifest.md5"), "00");

        checkpoint.verify();
    }

    @Test
    void a_flipped_bit_in_any_file_is_refused_by_the_name_of_the_file() throws IOException {
        Checkpoint checkpoint = sealed();
        for (Path file : checkpoint.files()) {
            byte[] bytes = Files.readAllBytes(file);
            for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
                byte[] flipped = bytes.clone();
                flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                Files.write(file, flipped);
                assertDamaged(file, () -> Checkpoint.open(checkpoint.folder()).verify());
            }
            Files.write(file, bytes);
        }
        checkpoint.verify();
    }

    @Test
    void a_file_that_is_cut_off_missing_or_not_ours_is_refused_by_name() throws IOException {
        Checkpoint checkpoint = sealed();
        Path extra = checkpoint.folder().resolve("000010.sst");
        write(extra, "");
        assertDamaged(extra, checkpoint::verify);
        Files.delete(extra);
        for (Path file : checkpoint.files()) {
            byte[] bytes = Files.readAllBytes(file);
            Files.write(file, new byte[bytes.length + 1]);
            assertDamaged(file, () -> Checkpoint.open(checkpoint.folder()).verify());
            Files.delete(file);
            assertDamaged(file, () -> Checkpoint.open(checkpoint.folder()).verify());
            Files.write(file, bytes);
        }
    }

    private static void assertDamaged(Path file, ThrowingCallable what) {
        assertThatThrownBy(what)
                .isInstanceOfSatisfying(
                        DamagedDataException.class, e -> assertThat(e.file()).isEqualTo(file))
                .hasMessageContaining("--rejoin");
    }

    @Test
    void a_newer_format_is_refused_and_not_called_damaged() throws IOException {
        Path newer = Files.createDirectory(folder.resolve("newer"));
        write(newer.resolve(Manifest.FILE), "holdfast checkpoint 2\nwhatever\nchecksum 2d2e2057\n");

        assertThatThrownBy(() -> Checkpoint.open(newer))
                .isNotInstanceOf(DamagedDataException.class)
                .hasMessageContaining("checkpoint format 2")
                .hasMessageContaining("up to 1");
    }

    @Test
    void a_file_that_is_linked_from_the_checkpoint_before_is_not_read_again() throws IOException {
        Checkpoint before = sealed();
        Path shared = before.folder().resolve("000009.sst");
        Path draft = checkpoints().draft(3, 1L << 35);
        Files.createDirectory(draft);
        Files.createLink(draft.resolve("000009.sst"), shared);
        write(draft.resolve("CURRENT"), "other!");
        // Seen only by whoever reads it: the seal is still that of the file as it was.
        write(shared, "9876543210");

        Checkpoint.seal(draft, "größe 1", 3, 1L << 35, 2, Optional.of(before));

        Checkpoint next = checkpoints().publish(draft, 3, 1L << 35);
        assertDamaged(next.folder().resolve("000009.sst"), next::verify);
        write(shared, "0123456789");
        next.verify();
    }

    @Test
    void a_file_that_only_looks_like_one_of_the_checkpoint_before_is_read() throws IOException {
        Checkpoint before = sealed();
        Path draft = Files.createDirectory(checkpoints().draft(3, 1L << 35));
        write(draft.resolve("000009.sst"), "9876543210");

        Checkpoint.seal(draft, "größe 1", 3, 1L << 35, 2, Optional.of(before));

        checkpoints().publish(draft, 3, 1L << 35).verify();
    }

    @Test
    void the_newest_counts_and_half_made_ones_are_swept_away() throws IOException {
        Checkpoints checkpoints = checkpoints();
        assertThat(checkpoints.newest()).isEmpty();
        Checkpoint newest = sealed();
        Path draft = Files.createDirectory(checkpoints.draft(3, 9));
        Checkpoint.seal(draft, "größe 1", 3, 9, 2, Optional.empty());
        Checkpoint older = checkpoints.publish(draft, 3, 9);
        write(Files.createDirectory(checkpoints.draft(3, 10)).resolve("000009.sst"), "0");

        checkpoints.sweep();

        assertThat(checkpoints.newestFirst()).isEqualTo(List.of(newest.folder(), older.folder()));
        assertThat(checkpoints.newest().orElseThrow().index()).isEqualTo(1L << 34);
        checkpoints.delete(newest.folder());
        assertThat(checkpoints.newestFirst()).isEqualTo(List.of(older.folder()));
        assertThat(checkpoints.drafts()).isEmptyDirectory();
    }

    @Test
    void a_checkpoint_under_a_name_that_is_not_its_own_is_refused() throws IOException {
        Checkpoint checkpoint = sealed();
        Path renamed = checkpoint.folder().resolveSibling(Checkpoints.name(3, 5));
        Files.move(checkpoint.folder(), renamed);

        assertDamaged(renamed, () -> checkpoints().newest());
    }

    private Checkpoints checkpoints() {
        return new Checkpoints(folder.resolve("sm"), folder.resolve("drafts"));
    }

    private Checkpoint sealed() throws IOException {
        Checkpoints checkpoints = checkpoints();
        Path draft = Files.createDirectory(checkpoints.draft(3, 1L << 34));
        write(draft.resolve("000009.sst"), "0123456789");
        write(draft.resolve("CURRENT"), "hello\n");
        write(draft.resolve("EMPTY"), "");
        Checkpoint.seal(draft, "größe 1", 3, 1L << 34, 2, Optional.empty());
        return checkpoints.publish(draft, 3, 1L << 34);
    }

    private static Path manifest(Checkpoint checkpoint) {
        return checkpoint.folder().resolve(Manifest.FILE);
    }

    private static void write(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
