package io.holdfast.statemachine.ratis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A file system of a few MiB, in memory. The test is skipped where it may not be mounted. */
final class SmallDisk implements AutoCloseable {
    private final Path folder;
    private final Path filling;

    private SmallDisk(Path folder) {
        this.folder = folder;
        this.filling = folder.resolve("filling");
    }

    static SmallDisk mount(Path folder, int mib) throws Exception {
        Files.createDirectories(folder);
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + mib + "m", "holdfast-test", folder.toString()),
                "needs the right to mount a file system");
        return new SmallDisk(folder);
    }

    void fill() {
        try (var out = Files.newOutputStream(filling)) {
            byte[] block = new byte[4096];
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space left")) {
                throw new UncheckedIOException(e);
            }
        }
    }

    void free() throws IOException {
        Files.delete(filling);
    }

    @Override
    public void close() throws Exception {
        // Lazily: a node that was closed just now may still let go of its files.
        if (!run("umount", "-l", folder.toString())) {
            throw new IllegalStateException("still mounted: " + folder);
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // no such command
        }
    }
}
