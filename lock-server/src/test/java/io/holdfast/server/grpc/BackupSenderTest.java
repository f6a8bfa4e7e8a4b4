package io.holdfast.server.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.holdfast.server.backup.BackupManifest;
import io.holdfast.server.backup.BackupReader;
import io.holdfast.server.backup.Sha256;
import io.holdfast.v1.BackupFacts;
import io.holdfast.v1.BackupRequest;
import io.holdfast.v1.BackupResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a backup comes to its client. */
class BackupSenderTest {
    private static final int FILE_BYTES = 5 << 20;

    private final TestDoor door = TestDoor.leading();
    private BackupManifest manifest;

    @TempDir
    Path folder;

    @BeforeEach
    void fill() throws IOException {
        Path files = Files.createDirectory(folder.resolve("files"));
        byte[] noise = new byte[FILE_BYTES]; // does not compress: what is sent is as large
        new Random(7).nextBytes(noise);
        Files.write(files.resolve("000012.sst"), noise);
        Files.writeString(files.resolve("CURRENT"), "MANIFEST-000005", UTF_8);
        manifest = BackupManifest.of(
                "1.2.3",
                new BackupManifest.Facts("test", 3, 42, 7_000, 65_536 * 41, 1, "00000000000000ff"),
                Instant.EPOCH,
                files);
        door.operations.holds(manifest, files);
    }

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void a_backup_comes_as_facts_then_bytes_then_their_checksum() throws IOException {
        List<BackupResponse> parts = new ArrayList<>();
        backup().forEachRemaining(parts::add);

        assertThat(parts.get(0).getFacts())
                .isEqualTo(BackupFacts.newBuilder()
                        .setNodeId("n1")
                        .setCluster("test")
                        .setTerm(3)
                        .setIndex(42)
                        .setLeaseTime(7_000)
                        .setLastToken(65_536 * 41)
                        .setDigest("00000000000000ff")
                        .setContentBytes(FILE_BYTES + 15)
                        .build());
        BackupResponse last = parts.get(parts.size() - 1);
        byte[] data = dataOf(parts.subList(1, parts.size() - 1));
        assertThat(last.getEnd().getBytes()).isEqualTo(data.length).isGreaterThan(FILE_BYTES);
        assertThat(last.getEnd().getSha256().toByteArray())
                .isEqualTo(Sha256.start().digest(data));
        assertThat(BackupReader.verify(Files.write(folder.resolve("backup.zip"), data)))
                .isEqualTo(manifest);
        await().until(() -> door.operations.pinned.get() == 0);
    }

    @Test
    void a_client_that_is_slow_is_not_flooded_and_one_that_hangs_up_lets_go_of_the_snapshot() {
        Iterator<BackupResponse> first = backup();
        Iterator<BackupResponse> second = backup();
        assertThat(first.next().hasFacts()).isTrue();
        assertThat(second.next().hasFacts()).isTrue();

        StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, () -> backup().next());
        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("LIMIT_REACHED");
        assertThat(failure.getStatus().getDescription()).contains("n1 sends 2 backups already");
        assertThat(door.operations.pinned).as("both wait for their clients").hasValue(2);

        door.channel.shutdownNow();

        await().until(() -> door.operations.pinned.get() == 0);
    }

    @Test
    void a_backup_ends_with_the_door() throws InterruptedException {
        Iterator<BackupResponse> backup = backup();
        assertThat(backup.next().hasFacts()).isTrue();

        door.door.close(java.time.Duration.ZERO);

        StatusRuntimeException failure =
                catchThrowableOfType(StatusRuntimeException.class, () -> backup.forEachRemaining(it -> {}));
        assertThat(failure).isNotNull();
        await().until(() -> door.operations.pinned.get() == 0);
    }

    @Test
    void a_disk_that_fails_is_told() {
        door.operations.backupFailure = new IOException("cannot link /data/000012.sst: no space left");

        StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, () -> backup().next());

        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("DISK_UNUSABLE");
        assertThat(failure.getStatus().getDescription())
                .isEqualTo("node n1 cannot make a backup: cannot link /data/000012.sst: no space left");
    }

    @Test
    void a_file_that_is_not_what_the_manifest_says_never_ends_as_a_backup() throws IOException {
        Files.writeString(folder.resolve("files").resolve("CURRENT"), "MANIFEST-000006!", UTF_8);
        List<BackupResponse> parts = new ArrayList<>();

        StatusRuntimeException failure =
                catchThrowableOfType(StatusRuntimeException.class, () -> backup().forEachRemaining(parts::add));

        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("DISK_UNUSABLE");
        assertThat(parts).noneMatch(BackupResponse::hasEnd);
        await().until(() -> door.operations.pinned.get() == 0);
    }

    private Iterator<BackupResponse> backup() {
        return door.status().backup(BackupRequest.getDefaultInstance());
    }

    private static byte[] dataOf(List<BackupResponse> parts) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        for (BackupResponse part : parts) {
            assertThat(part.hasData()).isTrue();
            assertThat(part.getData().size()).isBetween(1, 1 << 20);
            data.writeBytes(part.getData().toByteArray());
        }
        return data.toByteArray();
    }
}
