package io.holdfast.statemachine.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB's native code. Left to itself RocksDB unpacks it to the system's temporary folder, 15 MB that stay there whenever a node is killed.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

    private NativeLibrary() {}

    /**
     * Loads it, unless this process already has.
     *
     * @param folder where to unpack it; it is deleted once it is loaded
     */
    static void load(Path folder) throws IOException {
        // It looks for the file under another name than it has in the jar.
        Path file = folder.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
        try {
            Files.createDirectories(folder);
            unpack(file);
            RocksDB.loadLibrary(List.of(folder.toString()));
        } catch (IOException | UnsatisfiedLinkError e) {
            // A full disk must not keep a node from starting that may be about to make room.
            LOG.info("Native code cannot run from {}, trying the temporary folder: {}", folder, e.getMessage());
            RocksDB.loadLibrary();
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void unpack(Path file) throws IOException {
        String name = Environment.getJniLibraryFileName("rocksdb");
        try (InputStream in = RocksDB.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new UnsatisfiedLinkError("there is no " + name + " in RocksDB's jar");
            }
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
