package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * What a node has of the cluster while it finds out whether it is a member: out of Ratis' sight, which would open it. A node that is stopped meanwhile finds it again.
 *
 * @param group where Ratis has it
 * @param aside where it is meanwhile, on the same file system
 */
record Unsettled(GroupFolder group, Path aside) {
    static Unsettled of(RaftNodeConfig config) {
        return new Unsettled(GroupFolder.of(config), config.folder().resolve("unsettled"));
    }

    /** Hides what there is. */
    void hide() throws IOException {
        move(group.root(), aside);
    }

    /** Brings back what was hidden, if anything was. */
    void bringBack() throws IOException {
        if (Files.exists(aside)) {
            delete(group.root());
            Files.createDirectories(group.root().resolveSibling("."));
            move(aside, group.root());
        }
    }

    /** Deletes what was hidden: the members have all that counts. */
    void delete() throws IOException {
        delete(aside);
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        Folders.force(to.resolveSibling("."));
        Folders.force(from.resolveSibling("."));
    }

    private static void delete(Path tree) throws IOException {
        if (Files.notExists(tree)) {
            return;
        }
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
