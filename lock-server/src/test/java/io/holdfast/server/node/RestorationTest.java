package io.holdfast.server.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.server.backup.BackupManifest;
import io.holdfast.server.backup.BackupWriter;
import io.holdfast.server.backup.UnusableBackupException;
import io.holdfast.server.config.ServerConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a restore refuses, and that it then leaves the data folder as it was. */
class RestorationTest {
    @TempDir
    Path root;

    private ServerConfig config;
    private Path backup;

    @BeforeEach
    void write() throws IOException {
        config = TestNode.config(root, "n1", root.resolve("data"));
        Path files = Files.createDirectory(root.resolve("files"));
        Files.writeString(files.resolve("CURRENT"), "not of a snapshot", UTF_8);
        BackupManifest manifest = BackupManifest.of(
                "1.2.3", new BackupManifest.Facts("test", 1, 42, 0, 0, 1, "0".repeat(16)), Instant.EPOCH, files);
        backup = root.resolve("backup.zip");
        try (OutputStream out = Files.newOutputStream(backup)) {
            BackupWriter.write(manifest, files, out);
        }
    }

    @Test
    void a_backup_whose_files_are_no_snapshot_is_refused() throws Exception {
        assertThatExceptionOfType(UnusableBackupException.class)
                .isThrownBy(() -> Restoration.run(backup, config))
                .withMessageStartingWith(backup + ": its files are no snapshot: ");

        assertThat(names()).containsExactly("lock");
    }

    @Test
    void a_damaged_backup_is_refused() throws Exception {
        byte[] bytes = Files.readAllBytes(backup);
        Files.write(backup, List.of(new String(bytes, 0, bytes.length / 2, UTF_8)));

        assertThatExceptionOfType(UnusableBackupException.class)
                .isThrownBy(() -> Restoration.run(backup, config))
                .withMessageStartingWith(backup + ": is not a zip file, or not a whole one");

        assertThat(names()).containsExactly("lock");
    }

    @Test
    void a_folder_that_is_a_node_s_is_left_alone() throws Exception {
        DataFolder.open(config).close();

        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> Restoration.run(backup, config))
                .withMessage(config.file() + ": data is " + config.data()
                        + ", which is not empty: it holds identity; name an empty or a new one, or move that away");
        assertThat(names()).containsExactly("identity", "lock");
    }

    @Test
    void a_folder_with_anything_else_in_it_is_left_alone() throws Exception {
        Files.createDirectories(config.data());
        Files.writeString(config.data().resolve("mine"), "mine", UTF_8);

        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> Restoration.run(backup, config))
                .withMessageContaining("it holds mine");
        assertThat(config.data().resolve("mine")).hasContent("mine");
    }

    @Test
    void what_a_restore_that_was_killed_has_left_does_not_count() throws Exception {
        Files.createDirectories(config.data().resolve("restore.new/deep"));

        assertThatExceptionOfType(UnusableBackupException.class).isThrownBy(() -> Restoration.run(backup, config));

        assertThat(names()).containsExactly("lock");
    }

    @Test
    void nobody_starts_a_node_where_a_restore_was_killed() throws Exception {
        Files.createDirectories(config.data().resolve("restore.new"));

        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> DataFolder.open(config))
                .withMessageContaining("it holds restore.new");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(config.data())) {
            return files.map(it -> String.valueOf(it.getFileName())).sorted().toList();
        }
    }
}
