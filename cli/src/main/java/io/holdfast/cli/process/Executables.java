package io.holdfast.cli.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds programs the way a shell does. */
final class Executables {
    private Executables() {}

    /** The program that a command names: a path, or the first of that name in {@code PATH} that may be executed. */
    static Optional<Path> find(String command) {
        return candidates(command)
                .filter(path -> Files.isRegularFile(path) && Files.isExecutable(path))
                .findFirst();
    }

    /** True if there is a file of that name, executable or not: shells say 126 then, and 127 if there is none. */
    static boolean isThere(String command) {
        return candidates(command).anyMatch(Files::exists);
    }

    /**
     * What to put before a command so that it gets a session, and with it a process group, of its own.
     *
     * @return its words; empty if this machine has no such program
     */
    static Optional<List<String>> ownSession() {
        return find("setsid")
                .map(setsid -> List.of(setsid.toString()))
                .or(() -> find("perl")
                        .map(perl -> List.of(
                                perl.toString(),
                                "-e",
                                "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV or exit 127")));
    }

    private static Stream<Path> candidates(String command) {
        if (command.isEmpty()) {
            return Stream.empty();
        }
        try {
            if (command.indexOf('/') >= 0) {
                return Stream.of(Path.of(command));
            }
            String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/local/bin:/usr/bin:/bin");
            return Arrays.stream(path.split(File.pathSeparator, -1)).map(folder -> Path.of(folder, command));
        } catch (InvalidPathException e) {
            return Stream.empty();
        }
    }
}
