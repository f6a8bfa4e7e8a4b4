package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.client.BackupInfo;
import io.holdfast.server.backup.BackupManifest;
import io.holdfast.server.backup.BackupWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** A backup as a node sends it. */
final class TestBackup {
    static final String DIGEST = "0123456789abcdef";

    private final byte[] bytes;
    private final long contentBytes;

    /** Makes one in a folder that is empty. */
    TestBackup(Path folder) throws IOException {
        Files.writeString(folder.resolve("CURRENT"), "MANIFEST-000005\n", UTF_8);
        BackupManifest manifest = BackupManifest.of(
                "1.2.3",
                new BackupManifest.Facts("test", 3, 42, 1_000, 2_752_512, 1, DIGEST),
                Instant.parse("2026-03-01T12:00:00Z"),
                folder);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BackupWriter.write(manifest, folder, out);
        bytes = out.toByteArray();
        contentBytes = manifest.contentBytes();
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /** What the node says of it. */
    BackupInfo info() {
        return new BackupInfo(
                "n2", "test", 3, 42, 1_000, 2_752_512, DIGEST, contentBytes, bytes.length, "e3".repeat(32));
    }
}
