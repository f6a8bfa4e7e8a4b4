package io.holdfast.jepsen.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** An operator at a shell, who types {@code holdfast} commands. */
public final class Shell {
    private final JavaCommand java;

    /**
     * Sits down.
     *
     * @param java how the command is started; it logs nothing, as with the launcher
     */
    public Shell(JavaCommand java) {
        this.java = java.with("-Xlog:disable")
                .with("-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider")
                .with("-Dslf4j.internal.verbosity=ERROR");
    }

    /**
     * A command that has ended.
     *
     * @param line what was typed
     * @param code its exit code
     * @param out its result
     * @param err what else it said
     */
    public record Ended(String line, int code, String out, String err) {
        /** {@return this, which must have ended well} */
        public Ended orFail() {
            if (code != 0) {
                throw new AssertionError(this);
            }
            return this;
        }

        /** {@return a field of its result, which is one JSON object; numbers as their digits} */
        public String field(String name) {
            String quoted = "\"" + name + "\":";
            int at = out.indexOf(quoted);
            if (at < 0) {
                throw new AssertionError("no field " + name + " in " + this);
            }
            return out.substring(at + quoted.length()).replaceFirst("(?s)^\"?([^\",}]*).*", "$1");
        }
    }

    /** {@return the command, once it has ended} */
    public Ended run(String... arguments) {
        List<String> line = java.running("io.holdfast.cli.Main", arguments);
        try {
            Process process = new ProcessBuilder(line).start();
            process.getOutputStream().close();
            // What a command says fits into a pipe.
            int code = process.waitFor();
            return new Ended(
                    Arrays.stream(arguments).collect(Collectors.joining(" ", "holdfast ", "")),
                    code,
                    new String(process.getInputStream().readAllBytes(), UTF_8),
                    new String(process.getErrorStream().readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + line, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a command ran", e);
        }
    }
}
