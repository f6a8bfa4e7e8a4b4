package io.holdfast.cli.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Looks whether a command can be started, before a lock is taken for it. */
public final class CommandCheck {
    private CommandCheck() {}

    /**
     * Why not.
     *
     * @param exitCode what a shell says: 127 not found, 126 found and not executable
     * @param message for people
     */
    public record Problem(int exitCode, String message) {}

    /**
     * Looks for a command.
     *
     * @param command a path, or a name to be found in {@code PATH}
     * @return what keeps it from being started; empty if nothing does
     */
    public static Optional<Problem> problem(String command) {
        if (Executables.find(command).isPresent()) {
            return Optional.empty();
        }
        if (!Executables.isThere(command)) {
            return Optional.of(new Problem(127, command + ": command not found"));
        }
        boolean folder = command.indexOf('/') >= 0 && Files.isDirectory(Path.of(command));
        return Optional.of(new Problem(126, command + (folder ? ": is a folder" : ": not executable")));
    }
}
