package io.holdfast.server.config;

import java.nio.file.Path;

/**
 * One thing that is wrong with a configuration.
 *
 * @param file the file
 * @param line the line, counted from 1; 0 if it is about no line in particular
 * @param key the key in question, such as {@code tick.max-interval}; empty if it is about the file as a whole
 * @param message the whole sentence, with key, value and limit
 */
public record Problem(Path file, int line, String key, String message) {
    /** {@return {@code file:line: message}, as compilers write it} */
    @Override
    public String toString() {
        return line > 0 ? file + ":" + line + ": " + message : file + ": " + message;
    }
}
