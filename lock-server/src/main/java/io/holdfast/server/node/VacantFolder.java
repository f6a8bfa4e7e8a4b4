package io.holdfast.server.node;

import io.holdfast.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A data folder that is nobody's yet, for what must be whole in it before a node may start from it. This process has it until it is closed. */
final class VacantFolder implements AutoCloseable {
    /** In the data folder, so that it is on the same file system. */
    private static final String DRAFT = "restore.new";

    private final ServerConfig config;
    private final DataFolder taken;

    private VacantFolder(ServerConfig config, DataFolder taken) {
        this.config = config;
        this.taken = taken;
    }

    /**
     * Takes a node's data folder, which need not exist.
     *
     * @throws StartException if it cannot be used, another process has it, or there is something in it
     */
    static VacantFolder take(ServerConfig config) throws StartException {
        try {
            DataFolder taken = DataFolder.take(config);
            Set<String> harmless = new HashSet<>(DataFolder.HARMLESS);
            harmless.add(DRAFT); // of an attempt that was killed
            Optional<Path> stranger = DataFolder.stranger(config.data(), harmless);
            if (stranger.isPresent()) {
                taken.close();
                throw DataFolder.refused(
                        config,
                        "is not empty: it holds " + stranger.get().getFileName()
                                + "; name an empty or a new one, or move that away");
            }
            return new VacantFolder(config, taken);
        } catch (IOException e) {
            throw DataFolder.refused(config, "cannot be used: " + e);
        }
    }

    /** {@return an empty folder in it, which goes when the folder is claimed or cleared} */
    Path draft() throws IOException {
        Path draft = config.data().resolve(DRAFT);
        delete(draft);
        return Files.createDirectory(draft);
    }

    /** Makes it the node's, with all that is in it but the draft. */
    void claim() throws IOException {
        delete(config.data().resolve(DRAFT));
        DataFolder.claim(config);
    }

    /** Deletes all that was put into it since it was taken. */
    void clear() throws IOException {
        Optional<Path> next = DataFolder.stranger(config.data(), DataFolder.HARMLESS);
        while (next.isPresent()) {
            delete(next.get());
            next = DataFolder.stranger(config.data(), DataFolder.HARMLESS);
        }
    }

    private static void delete(Path root) throws IOException {
        if (Files.notExists(root)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> paths = Files.walk(root)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }

    @Override
    public void close() throws IOException {
        taken.close();
    }
}
