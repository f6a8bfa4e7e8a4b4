package io.holdfast.server.backup;

import io.holdfast.server.backup.BackupManifest.Item;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes a backup file. */
public final class BackupWriter {
    static final String MANIFEST = "manifest.json";

    /** Where the files of the snapshot stand in the zip. */
    static final String FOLDER = "snapshot/";

    private BackupWriter() {}

    /**
     * Writes a backup.
     *
     * @param manifest what is in it
     * @param folder the folder with the files that the manifest names
     * @param out where to; left open
     * @throws IOException if a file cannot be read or is not what the manifest says, or {@code out} fails
     */
    public static void write(BackupManifest manifest, Path folder, OutputStream out) throws IOException {
        ZipOutputStream zip = new ZipOutputStream(out);
        // The files of a snapshot are compressed already, more or less: the node has better things to do.
        zip.setLevel(Deflater.BEST_SPEED);
        zip.putNextEntry(entry(MANIFEST, manifest));
        zip.write(ManifestJson.write(manifest));
        zip.closeEntry();
        for (Item item : manifest.files()) {
            zip.putNextEntry(entry(FOLDER + item.name(), manifest));
            long copied = Files.copy(folder.resolve(item.name()), zip);
            if (copied != item.bytes()) {
                throw new IOException(folder.resolve(item.name()) + " has " + copied + " bytes, and had " + item.bytes()
                        + " when it was looked at before");
            }
            zip.closeEntry();
        }
        zip.finish();
        zip.flush();
    }

    private static ZipEntry entry(String name, BackupManifest manifest) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(manifest.createdAt().toEpochMilli());
        return entry;
    }
}
