package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.client.HoldfastException;
import io.holdfast.server.backup.BackupReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Under the name of a backup there is only ever a whole one. */
class BackupTargetTest {
    @TempDir
    Path folder;

    private Path file;
    private TestBackup backup;

    @BeforeEach
    void make() throws IOException {
        backup = new TestBackup(Files.createDirectory(folder.resolve("snapshot")));
        file = Files.createDirectory(folder.resolve("backups")).resolve("monday.zip");
    }

    @Test
    void a_backup_gets_its_name_when_it_has_come_whole() throws Exception {
        BackupTarget target = BackupTarget.of(file, false);

        target.write(out -> {
            out.write(backup.bytes());
            out.flush();
            assertThat(file).doesNotExist();
            return backup.info();
        });

        assertThat(BackupReader.verify(file).facts().index()).isEqualTo(42);
        assertThat(names()).containsExactly("monday.zip");
    }

    @Test
    void what_is_there_already_stays_unless_it_is_to_be_replaced() throws Exception {
        Files.writeString(file, "sunday's", UTF_8);

        assertRefused(() -> BackupTarget.of(file, false), file + " is there already; --force replaces it");
        assertThat(file).hasContent("sunday's");

        BackupTarget.of(file, true).write(out -> {
            out.write(backup.bytes());
            return backup.info();
        });
        assertThat(BackupReader.verify(file).facts().index()).isEqualTo(42);
    }

    @Test
    void what_comes_under_its_name_meanwhile_stays_too() throws Exception {
        BackupTarget target = BackupTarget.of(file, false);

        assertRefused(
                () -> target.write(out -> {
                    out.write(backup.bytes());
                    Files.writeString(file, "another's", UTF_8);
                    return backup.info();
                }),
                file + " is there already; --force replaces it");
        assertThat(file).hasContent("another's");
        assertThat(names()).containsExactly("monday.zip");
    }

    @Test
    void a_backup_that_does_not_come_whole_leaves_nothing_and_replaces_nothing() throws Exception {
        Files.writeString(file, "sunday's", UTF_8);
        BackupTarget target = BackupTarget.of(file, true);

        assertThatExceptionOfType(HoldfastException.Unavailable.class)
                .isThrownBy(() -> target.write(out -> {
                    out.write(backup.bytes(), 0, 100);
                    throw new HoldfastException.Unavailable(false, "it did not come whole");
                }));

        assertThat(file).hasContent("sunday's");
        assertThat(names()).containsExactly("monday.zip");
    }

    @Test
    void what_cannot_be_read_again_gets_no_name() throws Exception {
        byte[] damaged = backup.bytes();
        damaged[damaged.length / 2] ^= 1;

        assertThatExceptionOfType(Failure.class)
                .isThrownBy(() -> BackupTarget.of(file, false).write(out -> {
                    out.write(damaged);
                    return backup.info();
                }))
                .withMessageStartingWith(file + " cannot be written: ");
        assertThat(names()).isEmpty();
    }

    @Test
    void what_an_attempt_that_was_killed_left_is_overwritten() throws Exception {
        Files.writeString(folder.resolve("backups/monday.zip.part"), "half of it and much more than that", UTF_8);

        BackupTarget.of(file, false).write(out -> {
            out.write(backup.bytes());
            return backup.info();
        });

        assertThat(BackupReader.verify(file).facts().index()).isEqualTo(42);
        assertThat(names()).containsExactly("monday.zip");
    }

    @Test
    void a_place_that_cannot_be_is_refused_before_any_work() {
        Path nowhere = folder.resolve("nowhere/monday.zip");

        assertRefused(
                () -> BackupTarget.of(nowhere, false),
                nowhere + " cannot be written: there is no folder " + nowhere.getParent());
        assertRefused(() -> BackupTarget.of(folder, true), folder + " is a folder");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatExceptionOfType(Failure.class)
                .isThrownBy(call)
                .withMessage(message)
                .satisfies(it -> {
                    assertThat(it.exit()).isEqualTo(Exit.USAGE);
                    assertThat(it.field()).isEqualTo("FILE");
                });
    }

    private Stream<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("backups"))) {
            return files.map(it -> String.valueOf(it.getFileName())).toList().stream();
        }
    }
}
