package io.holdfast.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where {@code up} keeps a cluster: a marker that makes the folder ours, the endpoints, and a folder for each node. Whatever else somebody puts there is left alone.
 *
 * @param root absolute
 */
record ClusterFolder(Path root) {
    private static final String MARKER = "holdfast-cluster";
    private static final String ENDPOINTS = "endpoints";
    private static final String LOCK = ".lock";

    static ClusterFolder at(Path root) {
        return new ClusterFolder(root.toAbsolutePath().normalize());
    }

    /** The cluster that is here, running or not. */
    Optional<ClusterShape> shape() {
        Path marker = root.resolve(MARKER);
        if (!Files.exists(marker)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(marker)) {
            properties.load(reader);
            return Optional.of(new ClusterShape(
                    Integer.parseInt(properties.getProperty("nodes", "")),
                    Integer.parseInt(properties.getProperty("port", ""))));
        } catch (IOException | IllegalArgumentException e) {
            throw ProcessException.usage("data", marker + " cannot be read: " + e.getMessage());
        }
    }

    /** Makes the folder ours. Refuses one in which something else is. */
    void claim(ClusterShape shape) {
        try {
            refuseOthers();
            Files.createDirectories(root);
            replace(
                    MARKER,
                    "# 'holdfast up' made this folder; 'holdfast up --fresh' may wipe it.\nnodes=" + shape.nodes()
                            + "\nport=" + shape.port() + "\n");
        } catch (IOException e) {
            throw ProcessException.usage("data", "cannot write to " + root + ": " + e.getMessage());
        }
    }

    private void refuseOthers() throws IOException {
        if (Files.exists(root) && !Files.isDirectory(root)) {
            throw ProcessException.usage("data", root + " is not a folder");
        }
        if (!Files.exists(root) || Files.exists(root.resolve(MARKER))) {
            return;
        }
        try (Stream<Path> there = Files.list(root)) {
            if (there.anyMatch(path -> !path.endsWith(LOCK))) {
                throw ProcessException.usage(
                        "data", root + " is not empty, and 'holdfast up' did not make it; name another folder");
            }
        }
    }

    /** What changes a cluster. */
    interface Change<T> {
        T make() throws InterruptedException;
    }

    /** Makes a change while no other process makes one: waits for the others. */
    <T> T alone(Change<T> change) throws InterruptedException {
        try {
            refuseOthers();
            Files.createDirectories(root);
            FileChannel file =
                    FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                file.lock(); // ends when the file is closed, with this process at the latest
                return change.make();
            } finally {
                file.close();
            }
        } catch (IOException e) {
            throw ProcessException.usage("data", "cannot write to " + root + ": " + e.getMessage());
        }
    }

    List<LocalNode> nodes(ClusterShape shape) {
        return IntStream.rangeClosed(1, shape.nodes())
                .mapToObj(number -> new LocalNode(root.resolve(shape.id(number)), shape, number))
                .toList();
    }

    /** For the other commands, which look here unless told otherwise. */
    void writeEndpoints(ClusterShape shape) {
        try {
            replace(ENDPOINTS, shape.endpoints() + "\n");
        } catch (IOException e) {
            throw ProcessException.usage("data", "cannot write to " + root + ": " + e.getMessage());
        }
    }

    /** Removes the cluster with all that it remembers. */
    void wipe(ClusterShape shape) {
        try {
            for (LocalNode node : nodes(shape)) {
                removeTree(node.folder());
            }
            Files.deleteIfExists(root.resolve(ENDPOINTS));
            Files.deleteIfExists(root.resolve(MARKER));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot wipe " + root, e);
        }
    }

    /** Readers see the old text or the new one, never half of it. */
    private void replace(String name, String text) throws IOException {
        Path draft = root.resolve("." + name + ".new");
        Files.writeString(draft, text, UTF_8);
        Files.move(draft, root.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void removeTree(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() { // does not follow links
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path directory, @org.jspecify.annotations.Nullable IOException e) throws IOException {
                        if (e != null) {
                            throw e;
                        }
                        Files.delete(directory);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
