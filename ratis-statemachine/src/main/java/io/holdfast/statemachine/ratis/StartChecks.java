package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.snapshot.StateStore;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Looks at data folder and port before Ratis does: it would start whatever it finds in the folder, and end the process without a word to us if the port is taken.
 */
final class StartChecks {
    private StartChecks() {}

    static void check(RaftNodeConfig config) throws IOException {
        checkFolder(config);
        checkFiles(config);
        checkPort(config);
    }

    private static void checkFolder(RaftNodeConfig config) throws IOException {
        Path storage = RaftSettings.storage(config);
        Path own = GroupFolder.of(config).root();
        Optional<Path> stranger;
        try {
            Files.createDirectories(storage);
            try (Stream<Path> folders = Files.list(storage)) {
                stranger = folders.filter(Files::isDirectory)
                        .filter(folder -> !folder.equals(own))
                        .findFirst();
            }
        } catch (IOException e) {
            throw unusable(config, e);
        }
        if (stranger.isPresent()) {
            throw new IOException("Data folder " + config.folder() + " is of another cluster than " + config.cluster()
                    + ": " + stranger.get() + " is not ours");
        }
    }

    private static void checkFiles(RaftNodeConfig config) throws IOException {
        GroupFolder folder = GroupFolder.of(config);
        try {
            if (folder.isEmpty()) {
                return;
            }
            FileChannel lock = folder.lock();
            try {
                long snapshotIndex = StateStore.check(folder.root(), config.cluster());
                MetaGuard.check(folder, LogCheck.check(folder.current(), snapshotIndex));
            } finally {
                lock.close();
            }
        } catch (DamagedDataException e) {
            throw e;
        } catch (IOException e) {
            throw unusable(config, e);
        }
    }

    private static void checkPort(RaftNodeConfig config) throws BindException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(config.bindHost(), config.bindPort()));
        } catch (IOException e) {
            throw cannotListen(config, e);
        }
    }

    static BindException cannotListen(RaftNodeConfig config, Exception cause) {
        BindException named = new BindException("Raft cannot listen on " + config.bindAddress() + ": " + reason(cause));
        named.initCause(cause);
        return named;
    }

    static IOException unusable(RaftNodeConfig config, Exception cause) {
        for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
            if (inner instanceof DamagedDataException damage) {
                return damage;
            }
        }
        return new IOException("Data folder " + config.folder() + " cannot be used: " + reason(cause), cause);
    }

    /** {@return the innermost message, which is the one that says what happened} */
    static String reason(Throwable thrown) {
        String reason = thrown.toString();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                reason = cause.getMessage();
            }
        }
        return reason;
    }
}
