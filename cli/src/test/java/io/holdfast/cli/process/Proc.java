package io.holdfast.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks at processes of this machine. */
final class Proc {
    private Proc() {}

    /** Live processes of a session. */
    static List<Long> session(long session) {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.matches("\\d+"))
                    .map(Long::valueOf)
                    .filter(pid -> stat(pid)
                            .filter(fields -> Long.parseLong(fields[3]) == session && !fields[0].equals("Z"))
                            .isPresent())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** True for a process that runs: not one that has ended and is not buried yet. */
    static boolean isAlive(long pid) {
        return stat(pid).filter(fields -> !fields[0].equals("Z")).isPresent();
    }

    static boolean isStopped(long pid) {
        return stat(pid).filter(fields -> fields[0].equals("T")).isPresent();
    }

    /** State, parent, group, session. */
    static Optional<String[]> stat(long pid) {
        try {
            String text = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return Optional.of(text.substring(text.lastIndexOf(')') + 2).split(" ", -1));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // it ended while we read
        }
    }

    static void signal(String name, long pid) {
        kill(name, Long.toString(pid));
    }

    static void signalGroup(String name, long group) {
        kill(name, "-" + group);
    }

    private static void kill(String name, String target) {
        try {
            int code = new ProcessBuilder("kill", "-s", name, "--", target)
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -s " + name + " " + target + " says " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
