package io.holdfast.server.node;

import io.holdfast.server.config.ServerConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A node's data folder: whose it is, and that one process has it. Closed when the process lets go of it. */
final class DataFolder implements AutoCloseable {
    /** The newest layout of the folder that this version knows. */
    private static final int FORMAT = 1;

    private final FileChannel lockFile;
    private final FileLock lock;

    private DataFolder(FileChannel lockFile, FileLock lock) {
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Takes the folder for this process, and marks a new one as this node's.
     *
     * @throws StartException if it cannot be used, another process has it, or it is another node's or cluster's
     */
    static DataFolder open(ServerConfig config) throws StartException {
        Path folder = config.data();
        try {
            create(folder);
            FileChannel channel =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = lock(channel);
            if (lock == null) {
                channel.close();
                throw refused(config, "is in use by another process; two nodes must not share a folder");
            }
            DataFolder taken = new DataFolder(channel, lock);
            try {
                checkIdentity(config);
            } catch (StartException | IOException e) {
                taken.close();
                throw e;
            }
            return taken;
        } catch (IOException e) {
            throw refused(config, "cannot be used: " + e);
        }
    }

    private static void create(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            // What it holds is for this node alone.
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // a node in this very process has it
        }
    }

    private static void checkIdentity(ServerConfig config) throws IOException, StartException {
        Path file = config.data().resolve("identity");
        if (Files.notExists(file)) {
            write(file, "format=" + FORMAT + "\ncluster=" + config.cluster() + "\nnode=" + config.node() + "\n");
            return;
        }
        Properties identity = new Properties();
        identity.load(new StringReader(Files.readString(file)));
        String format = identity.getProperty("format", "");
        if (!format.equals(Integer.toString(FORMAT))) {
            throw refused(config, "has format " + format + "; this version of Holdfast reads format " + FORMAT);
        }
        check(config, "cluster", identity.getProperty("cluster", ""), config.cluster());
        check(config, "node", identity.getProperty("node", ""), config.node());
    }

    private static void check(ServerConfig config, String key, String found, String wanted) throws StartException {
        if (!found.equals(wanted)) {
            throw new StartException(config.file() + ": " + key + " is " + wanted + ", but data folder " + config.data()
                    + " belongs to " + key + " " + found);
        }
    }

    /** Whole or not at all: a half-written identity would lock the node out of its own folder. */
    private static void write(Path file, String text) throws IOException {
        Path draft = file.resolveSibling("identity.new");
        try (FileChannel channel = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            channel.write(StandardCharsets.UTF_8.encode(text));
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static StartException refused(ServerConfig config, String problem) {
        return new StartException(config.file() + ": data is " + config.data() + ", which " + problem);
    }

    @Override
    public void close() throws IOException {
        lock.release();
        lockFile.close();
    }
}
