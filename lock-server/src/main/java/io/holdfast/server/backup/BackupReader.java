package io.holdfast.server.backup;

import io.holdfast.server.backup.BackupManifest.Item;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a backup file, and believes nothing of it: names, sizes and checksums must be those of its manifest, and no entry may be missing or be there besides.
 *
 * <p>The zip is read from its beginning, entry by entry; its directory at the end must name as many.
 */
public final class BackupReader {
    private static final int BUFFER_BYTES = 64 << 10;

    /** Some hundred thousand files. */
    private static final int MAX_MANIFEST_BYTES = 32 << 20;

    private final Path file;

    private BackupReader(Path file) {
        this.file = file;
    }

    /** Where the bytes of an entry go. */
    private interface Target {
        OutputStream open(Item item) throws IOException;
    }

    /**
     * Reads a backup from end to end.
     *
     * @param file the file
     * @return what is in it
     * @throws UnusableBackupException if it is not a whole and sound backup
     * @throws IOException if it cannot be read
     */
    public static BackupManifest verify(Path file) throws IOException {
        return new BackupReader(file).read(item -> OutputStream.nullOutputStream());
    }

    /**
     * Unpacks the files of a backup. Leaves there what it had unpacked if it fails.
     *
     * @param file the backup
     * @param folder an empty folder
     * @return what is in it
     * @throws UnusableBackupException if it is not a whole and sound backup
     * @throws IOException if it cannot be read, or {@code folder} cannot be written to
     */
    public static BackupManifest unpack(Path file, Path folder) throws IOException {
        BackupManifest manifest = new BackupReader(file)
                .read(item -> Files.newOutputStream(folder.resolve(item.name()), StandardOpenOption.CREATE_NEW));
        for (Item item : manifest.files()) {
            sync(folder.resolve(item.name()), StandardOpenOption.WRITE);
        }
        sync(folder, StandardOpenOption.READ);
        return manifest;
    }

    private static void sync(Path path, StandardOpenOption option) throws IOException {
        try (FileChannel channel = FileChannel.open(path, option)) {
            channel.force(true);
        }
    }

    private BackupManifest read(Target target) throws IOException {
        int entries = directorySize();
        try (ZipInputStream zip =
                new ZipInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES))) {
            BackupManifest manifest = manifest(zip);
            Map<String, Item> missing = new LinkedHashMap<>();
            manifest.files().forEach(item -> missing.put(BackupWriter.FOLDER + item.name(), item));
            for (ZipEntry entry = next(zip); entry != null; entry = next(zip)) {
                Item item = missing.remove(entry.getName());
                if (item == null) {
                    throw refused("has the entry \"" + shown(entry.getName())
                            + "\", which its manifest does not name, or not so often");
                }
                copy(zip, item, target);
            }
            if (!missing.isEmpty()) {
                throw refused("lacks the entry " + missing.keySet().iterator().next());
            }
            if (entries != manifest.files().size() + 1) {
                throw refused("is damaged: its zip directory names " + entries + " entries, its manifest "
                        + (manifest.files().size() + 1));
            }
            return manifest;
        }
    }

    /** A file that was cut off, or that something was appended to, has no directory at its end. */
    private int directorySize() throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw refused("is not a file that can be read");
        }
        try (ZipFile zip = new ZipFile(file.toFile())) {
            return zip.size();
        } catch (IOException | IllegalArgumentException e) {
            throw refused("is not a zip file, or not a whole one: " + e.getMessage());
        }
    }

    private BackupManifest manifest(ZipInputStream zip) throws IOException {
        ZipEntry first = next(zip);
        if (first == null || !first.getName().equals(BackupWriter.MANIFEST)) {
            throw refused("is not a backup of Holdfast: its first entry is not " + BackupWriter.MANIFEST);
        }
        byte[] bytes = contentOf(zip);
        try {
            return ManifestJson.read(bytes);
        } catch (ManifestJson.Unreadable e) {
            throw refused("its entry " + BackupWriter.MANIFEST + " " + e.getMessage());
        }
    }

    private byte[] contentOf(ZipInputStream zip) throws IOException {
        try {
            byte[] bytes = zip.readNBytes(MAX_MANIFEST_BYTES + 1);
            if (bytes.length > MAX_MANIFEST_BYTES) {
                throw refused("its entry " + BackupWriter.MANIFEST + " is larger than a manifest can be ("
                        + (MAX_MANIFEST_BYTES >> 20) + " MiB)");
            }
            return bytes;
        } catch (UnusableBackupException e) {
            throw e;
        } catch (IOException e) {
            throw damaged(BackupWriter.MANIFEST, e);
        }
    }

    private @Nullable ZipEntry next(ZipInputStream zip) throws IOException {
        try {
            return zip.getNextEntry();
        } catch (IOException | IllegalArgumentException e) {
            throw refused("is damaged between its entries: " + e.getMessage());
        }
    }

    private void copy(ZipInputStream zip, Item item, Target target) throws IOException {
        MessageDigest digest = Sha256.start();
        long bytes = 0;
        try (OutputStream out = target.open(item)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int n = read(zip, buffer, item); n >= 0; n = read(zip, buffer, item)) {
                bytes += n;
                // Not one byte more is written than was promised, whatever the zip holds.
                if (bytes > item.bytes()) {
                    throw refused("its entry " + name(item) + " has more than the " + item.bytes()
                            + " bytes that the manifest says");
                }
                digest.update(buffer, 0, n);
                out.write(buffer, 0, n);
            }
        }
        if (bytes != item.bytes()) {
            throw refused("its entry " + name(item) + " has " + bytes + " bytes; the manifest says " + item.bytes());
        }
        String found = Sha256.hex(digest);
        if (!found.equals(item.sha256())) {
            throw refused("its entry " + name(item) + " is damaged: its SHA-256 is " + found + "; the manifest says "
                    + item.sha256());
        }
    }

    private int read(ZipInputStream zip, byte[] buffer, Item item) throws IOException {
        try {
            return zip.read(buffer);
        } catch (IOException e) {
            throw damaged(name(item), e);
        }
    }

    private static String name(Item item) {
        return BackupWriter.FOLDER + item.name();
    }

    /** Without what a terminal might act upon. */
    private static String shown(String name) {
        String cut = name.length() <= 128 ? name : name.substring(0, 128) + "…";
        return cut.replaceAll("\\p{C}", "?");
    }

    private UnusableBackupException damaged(String entry, IOException e) {
        return refused("its entry " + entry + " is damaged: " + e.getMessage());
    }

    private UnusableBackupException refused(String problem) {
        return new UnusableBackupException(file, problem);
    }
}
