package io.holdfast.statemachine.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a crash may leave of a checkpoint that Ratis was installing. */
final class Installs {
    private static final Logger LOG = LoggerFactory.getLogger(Installs.class);

    private Installs() {}

    /**
     * Brings the folder of checkpoints back to what it was before, or after. Ratis first gives it another name, then puts what it received in its place, then deletes the old one (SnapshotManager of Ratis 3.3.0).
     *
     * @param root Ratis' folder for the group, which need not exist
     */
    static void recover(Path root) throws IOException {
        Trees.delete(root.resolve("tmp"));
        Path checkpoints = root.resolve("sm");
        // Named after the time at which it was moved.
        List<Path> moved = moved(root);
        if (!moved.isEmpty() && Files.notExists(checkpoints)) {
            LOG.info("{} is back: a crash had come before another took its place", checkpoints);
            Files.move(moved.getLast(), checkpoints, StandardCopyOption.ATOMIC_MOVE);
            FailedSyncException.forceFolder(root);
            moved = moved.subList(0, moved.size() - 1);
        }
        for (Path old : moved) {
            Trees.delete(old);
        }
    }

    private static List<Path> moved(Path root) throws IOException {
        if (Files.notExists(root)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.list(root)) {
            return paths.filter(path -> path.getFileName().toString().startsWith("sm.tmp"))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
        }
    }
}
