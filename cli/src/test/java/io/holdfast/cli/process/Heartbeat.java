package io.holdfast.cli.process;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A family of processes that write the time since boot to a file each, every hundredth of a second, and heed no SIGTERM. */
final class Heartbeat {
    private static final String BEAT = "trap '' TERM INT HUP; exec 9<> <(:); "
            + "while :; do read -r up rest </proc/uptime; echo $up >> $0; read -r -t 0.01 -u 9 line; done";

    /** The command, a child of it, a child in a group of its own, and a child in a session of its own. Needs bash; $0 names a file beside which they write. */
    static final String FAMILY = "trap '' TERM INT HUP; cd ${0%/*}; echo $$ > leader; beat=" + quoted(BEAT) + "; "
            + "bash -c \"$beat\" child.beat & timeout 1000 bash -c \"$beat\" group.beat & "
            + "setsid bash -c \"$beat\" session.beat & bash -c \"$beat\" leader.beat";

    private Heartbeat() {}

    /** Waits until all have begun. */
    static void awaitAll(Path folder) {
        await().atMost(Duration.ofSeconds(20)).until(() -> files(folder).size() == 4);
    }

    /** When the last of them was alive, in seconds since boot. */
    static double last(Path folder, String... without) {
        return files(folder).stream()
                .filter(file -> !List.of(without).contains(file.getFileName().toString()))
                .mapToDouble(file -> {
                    List<String> lines = lines(file);
                    return Double.parseDouble(lines.get(lines.size() - 1));
                })
                .max()
                .orElseThrow();
    }

    static void awaitSilence(Path folder, String... without) {
        double[] seen = {0};
        await().pollInterval(Duration.ofMillis(150))
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    double before = seen[0];
                    seen[0] = last(folder, without);
                    return seen[0] == before;
                });
    }

    /** Ends those that nobody else could find. */
    static void endAll(Path folder) {
        ProcessHandle.allProcesses()
                .filter(it -> it.info().commandLine().orElse("").endsWith(".beat"))
                .filter(it -> isIn(folder, it.pid()))
                .forEach(ProcessHandle::destroyForcibly);
    }

    private static boolean isIn(Path folder, long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .equals(folder);
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file ->
                            file.toString().endsWith(".beat") && !lines(file).isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            String text = Files.readString(file);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
