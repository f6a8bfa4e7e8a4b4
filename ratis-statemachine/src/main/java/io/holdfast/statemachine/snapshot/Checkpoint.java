package io.holdfast.statemachine.snapshot;

import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A sealed folder with the state as of one log index. Its files never change, nor do they become fewer or more, but for the {@code .md5} files that Ratis puts beside those it received.
 */
public final class Checkpoint {
    private static final String RATIS_DIGEST = ".md5";
    private static final int BUFFER_BYTES = 128 << 10;

    private final Path folder;
    private final Manifest manifest;

    private Checkpoint(Path folder, Manifest manifest) {
        this.folder = folder;
        this.manifest = manifest;
    }

    /**
     * Opens a checkpoint by its manifest. {@link #verify} looks at the other files.
     *
     * @param folder the sealed folder
     * @return the checkpoint
     * @throws DamagedDataException if the manifest is missing or not as it was written
     * @throws IOException if it is of a newer format, or cannot be read
     */
    public static Checkpoint open(Path folder) throws IOException {
        return new Checkpoint(folder.toAbsolutePath(), Manifest.read(folder));
    }

    /**
     * Seals a folder: forces all its files to the disk, and notes what they are in a manifest. The checkpoint is complete then, and stays so under whatever name the folder is given.
     *
     * @param draft files to be sealed
     * @param cluster name of the cluster
     * @param term term of the last entry whose effect is in the files
     * @param index log index of that entry
     * @param featureLevel feature level of the store
     * @param before a checkpoint that shares files with this one: what it knows about them is not computed again
     * @throws FailedSyncException if the disk does not confirm
     * @throws IOException if the folder cannot be written
     */
    static void seal(Path draft, String cluster, long term, long index, int featureLevel, Optional<Checkpoint> before)
            throws IOException {
        SortedMap<String, Manifest.FileSeal> files = new TreeMap<>();
        for (Path file : list(draft)) {
            files.put(name(file), sealed(file, before));
        }
        byte[] manifest = new Manifest(cluster, term, index, featureLevel, files).bytes();
        Path file = draft.resolve(Manifest.FILE);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (ByteBuffer left = ByteBuffer.wrap(manifest); left.hasRemaining(); ) {
                out.write(left);
            }
            FailedSyncException.force(out, file);
        }
        FailedSyncException.forceFolder(draft);
    }

    private static Manifest.FileSeal sealed(Path file, Optional<Checkpoint> before) throws IOException {
        if (before.isPresent()) {
            Checkpoint it = before.get();
            Manifest.FileSeal known = it.manifest.files().get(name(file));
            // The same file under a second name, so what was forced and noted then is so still.
            if (known != null && Files.isSameFile(file, it.folder.resolve(name(file)))) {
                return known;
            }
        }
        return read(file, true);
    }

    /**
     * Looks at all files, byte for byte.
     *
     * @throws DamagedDataException if one is not as it was written, is missing, or is none of the checkpoint's; the message names it
     * @throws IOException if one cannot be read
     */
    public void verify() throws IOException {
        for (Map.Entry<String, Manifest.FileSeal> entry : manifest.files().entrySet()) {
            Path file = folder.resolve(entry.getKey());
            if (!Files.isRegularFile(file)) {
                throw new DamagedDataException(file, -1, "it is missing");
            }
            Manifest.FileSeal found = read(file, false);
            if (!found.equals(entry.getValue())) {
                throw new DamagedDataException(
                        file, -1, "size and checksum are " + found + ", and " + entry.getValue() + " were written");
            }
        }
        for (Path file : list(folder)) {
            if (!isOurs(name(file))) {
                throw new DamagedDataException(file, -1, "it is not part of the checkpoint");
            }
        }
    }

    /**
     * Forces a checkpoint that came from elsewhere to the disk.
     *
     * @throws FailedSyncException if the disk does not confirm
     * @throws IOException if a file cannot be opened
     */
    void force() throws IOException {
        for (Path file : files()) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                FailedSyncException.force(channel, file);
            }
        }
        FailedSyncException.forceFolder(folder);
        FailedSyncException.forceFolder(folder.resolveSibling("."));
    }

    private boolean isOurs(String name) {
        String of = name.endsWith(RATIS_DIGEST) ? name.substring(0, name.length() - RATIS_DIGEST.length()) : name;
        return of.equals(Manifest.FILE) || manifest.files().containsKey(of);
    }

    private static Manifest.FileSeal read(Path file, boolean force) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        long size = 0;
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            if (force) {
                FailedSyncException.force(in, file);
            }
            for (int count; (count = in.read(buffer)) >= 0; buffer.clear()) {
                size += count;
                crc.update(buffer.flip());
            }
        }
        return new Manifest.FileSeal(size, (int) crc.getValue());
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    /** {@return the folder, as an absolute path} */
    public Path folder() {
        return folder;
    }

    /** {@return name of the cluster} */
    public String cluster() {
        return manifest.cluster();
    }

    /** {@return term of the last entry whose effect it has} */
    public long term() {
        return manifest.term();
    }

    /** {@return log index of the last entry whose effect it has} */
    public long index() {
        return manifest.index();
    }

    /** {@return feature level of the store} */
    public int featureLevel() {
        return manifest.featureLevel();
    }

    /** {@return all files that make it up, absolute, the manifest last} */
    public List<Path> files() {
        List<Path> files = new ArrayList<>(dataFiles());
        files.add(folder.resolve(Manifest.FILE));
        return files;
    }

    /** {@return all files but the manifest, absolute} */
    List<Path> dataFiles() {
        return manifest.files().keySet().stream().map(folder::resolve).toList();
    }

    /** {@return size of all files but the manifest, in bytes} */
    public long bytes() {
        return manifest.files().values().stream()
                .mapToLong(Manifest.FileSeal::size)
                .sum();
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
