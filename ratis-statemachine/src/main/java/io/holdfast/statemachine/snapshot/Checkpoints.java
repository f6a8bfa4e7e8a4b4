package io.holdfast.statemachine.snapshot;

import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folders of a node's checkpoints. What is in {@link #drafts} is half made or half deleted, and means nothing.
 *
 * @param folder the checkpoints, {@code snapshot.<term>_<index>} each; need not exist
 * @param drafts a folder on the same file system, for what is not yet or no longer a checkpoint; need not exist
 */
record Checkpoints(Path folder, Path drafts) {
    private static final Pattern NAME = Pattern.compile("snapshot\\.(\\d{1,18})_(\\d{1,18})");

    static String name(long term, long index) {
        return "snapshot." + term + "_" + index;
    }

    /** Deletes what is half made or half deleted. */
    void sweep() throws IOException {
        Trees.delete(drafts);
    }

    /**
     * A place for a new checkpoint, with nothing there yet.
     *
     * @return a path in a folder that exists
     */
    Path draft(long term, long index) throws IOException {
        Files.createDirectories(drafts);
        Path draft = drafts.resolve(name(term, index));
        Trees.delete(draft);
        return draft;
    }

    /** Makes a sealed draft a checkpoint, for good. */
    Checkpoint publish(Path draft, long term, long index) throws IOException {
        Files.createDirectories(folder);
        Path place = folder.resolve(name(term, index));
        Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
        FailedSyncException.forceFolder(folder);
        return Checkpoint.open(place);
    }

    /** {@return folders of all checkpoints, the newest first} */
    List<Path> newestFirst() throws IOException {
        return list().stream()
                .filter(path -> NAME.matcher(name(path)).matches())
                .sorted(Comparator.comparingLong(Checkpoints::index).reversed())
                .toList();
    }

    /**
     * Opens the newest checkpoint.
     *
     * @return empty if there is none
     * @throws DamagedDataException if its manifest is damaged, or its name is not the one it was given
     */
    Optional<Checkpoint> newest() throws IOException {
        List<Path> all = newestFirst();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        Checkpoint newest = Checkpoint.open(all.getFirst());
        if (!name(all.getFirst()).equals(name(newest.term(), newest.index()))) {
            throw new DamagedDataException(
                    all.getFirst(), -1, "its manifest is that of " + name(newest.term(), newest.index()));
        }
        return Optional.of(newest);
    }

    /** Deletes a checkpoint: whoever looks finds it whole, or not at all. */
    void delete(Path checkpoint) throws IOException {
        Files.createDirectories(drafts);
        Path going = drafts.resolve("deleted." + name(checkpoint));
        Trees.delete(going);
        Files.move(checkpoint, going, StandardCopyOption.ATOMIC_MOVE);
        Trees.delete(going);
    }

    private List<Path> list() throws IOException {
        if (Files.notExists(folder)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.toList();
        }
    }

    private static long index(Path checkpoint) {
        Matcher matcher = NAME.matcher(name(checkpoint));
        return matcher.matches() ? Long.parseLong(matcher.group(2)) : -1;
    }

    private static String name(Path path) {
        return path.getFileName().toString();
    }
}
