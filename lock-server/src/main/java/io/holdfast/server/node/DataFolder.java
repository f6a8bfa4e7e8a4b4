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
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A node's data folder: whose it is, and that one process has it. Closed when the process lets go of it. */
final class DataFolder implements AutoCloseable {
    /** The newest layout of the folder that this version knows. */
    private static final int FORMAT = 1;

    private static final String LOCK = "lock";
    private static final String IDENTITY = "identity";
    private static final String DRAFT = "identity.new";

    /** What may lie in a folder that is still nobody's: what a first start that was cut off leaves, and what file systems make. */
    static final Set<String> HARMLESS = Set.of(LOCK, DRAFT, "lost+found");

    private static final DateTimeFormatter ASIDE =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final FileChannel lockFile;
    private final FileLock lock;

    private DataFolder(FileChannel lockFile, FileLock lock) {
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Takes the folder for this process, and marks a new one as this node's.
     *
     * @throws StartException if it cannot be used, another process has it, it is another node's or cluster's, or it holds something else
     */
    static DataFolder open(ServerConfig config) throws StartException {
        try {
            DataFolder taken = take(config);
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

    /** Marks the folder as this node's. */
    static void claim(ServerConfig config) throws IOException {
        write(
                config.data().resolve(IDENTITY),
                "format=" + FORMAT + "\ncluster=" + config.cluster() + "\nnode=" + config.node() + "\n");
    }

    /**
     * Moves what a node has kept so far out of its way, for it to begin anew. Nothing is deleted.
     *
     * @return where it is now; empty if there was nothing
     * @throws StartException if another process has it, it is another node's or cluster's, or it cannot be moved
     */
    static Optional<Path> moveAside(ServerConfig config, Instant now) throws StartException {
        Path folder = config.data();
        try {
            if (Files.notExists(folder) || stranger(folder, Set.of()).isEmpty()) {
                return Optional.empty();
            }
            if (Files.notExists(folder.resolve(IDENTITY))) {
                // Better to leave alone what may not be ours at all.
                throw refused(config, "is not the data folder of a node: it has no file named " + IDENTITY);
            }
            DataFolder taken = take(config);
            try {
                checkOwner(config);
                Path aside = folder.resolveSibling(folder.getFileName() + ".aside-" + ASIDE.format(now));
                Files.move(folder, aside, StandardCopyOption.ATOMIC_MOVE);
                sync(aside.resolveSibling(""));
                return Optional.of(aside);
            } finally {
                taken.close();
            }
        } catch (IOException e) {
            throw refused(config, "cannot be moved aside: " + e);
        }
    }

    /** Takes the folder for this process, whosever it is. */
    static DataFolder take(ServerConfig config) throws IOException, StartException {
        create(config.data());
        FileChannel channel =
                FileChannel.open(config.data().resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = lock(channel);
        if (lock == null) {
            channel.close();
            throw refused(config, "is in use by another process; two nodes must not share a folder");
        }
        return new DataFolder(channel, lock);
    }

    private static void create(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            // What it holds is for this node alone.
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            sync(folder.resolveSibling(""));
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
        if (Files.exists(config.data().resolve(IDENTITY))) {
            checkOwner(config);
            return;
        }
        Optional<Path> stranger = stranger(config.data(), HARMLESS);
        if (stranger.isPresent()) {
            throw refused(
                    config,
                    "is not empty, and not the data folder of a node: it holds "
                            + stranger.get().getFileName() + "; name an empty or a new one");
        }
        claim(config);
    }

    /** {@return the first in the folder that is none of these} */
    static Optional<Path> stranger(Path folder, Set<String> harmless) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !harmless.contains(String.valueOf(file.getFileName())))
                    .sorted()
                    .findFirst();
        }
    }

    private static void checkOwner(ServerConfig config) throws IOException, StartException {
        Properties identity = new Properties();
        identity.load(new StringReader(Files.readString(config.data().resolve(IDENTITY))));
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
        Path draft = file.resolveSibling(DRAFT);
        try (FileChannel channel = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            channel.write(StandardCharsets.UTF_8.encode(text));
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        // Or a power cut could bring back a folder that has a log and is nobody's.
        sync(file.resolveSibling(""));
    }

    private static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static StartException refused(ServerConfig config, String problem) {
        return new StartException(config.file() + ": data is " + config.data() + ", which " + problem);
    }

    @Override
    public void close() throws IOException {
        lock.release();
        lockFile.close();
    }
}
