package io.holdfast.statemachine.ratis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The folder in which Ratis keeps what this node has of the cluster: the log in {@code current}, snapshots in {@code sm}.
 *
 * @param root the folder, named after the Raft group
 */
record GroupFolder(Path root) {
    // A node of this process that is just closing lets go of it when Ratis has come to an end.
    private static final Duration LOCK_PATIENCE = Duration.ofSeconds(5);

    static GroupFolder of(RaftNodeConfig config) {
        return new GroupFolder(RaftSettings.storage(config)
                .resolve(RaftSettings.groupId(config).getUuid().toString()));
    }

    /** Log, term and vote, configuration. */
    Path current() {
        return root.resolve("current");
    }

    /** Term and vote. */
    Path meta() {
        return current().resolve(RaftMeta.FILE);
    }

    /** The newest configuration that was applied. */
    Path configuration() {
        return current().resolve(ConfigurationFile.FILE);
    }

    /** Whether this node has never been part of the cluster with this folder, or was stopped before it was. */
    boolean isEmpty() throws IOException {
        return isEmpty(current()) && isEmpty(root.resolve("sm"));
    }

    private static boolean isEmpty(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return true;
        }
        try (Stream<Path> files = Files.list(folder)) {
            // Ratis was just about to make the folder its own.
            return files.allMatch(file -> file.endsWith("raft-meta.tmp"));
        }
    }

    /**
     * Keeps other processes away while the files are looked at. Ratis takes the same lock when it starts.
     *
     * @return to be closed before Ratis starts
     * @throws IOException if another process, or another node of this one, has the folder
     */
    FileChannel lock() throws IOException {
        Path file = root.resolve("in_use.lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        long deadline = System.nanoTime() + LOCK_PATIENCE.toNanos();
        while (tryLock(channel).isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                channel.close();
                throw new IOException("another process has the lock " + file);
            }
            LockSupport.parkNanos(LOCK_PATIENCE.toNanos() / 100);
        }
        return channel;
    }

    private static Optional<FileLock> tryLock(FileChannel channel) throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException e) {
            return Optional.empty();
        }
    }
}
