package io.holdfast.jepsen.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * Kills registered processes when this JVM ends, however it ends.
 *
 * <p>A shutdown hook does not run when the JVM itself is killed, and a frozen process ignores all but SIGKILL. So a small shell listens on a pipe from this JVM; when the pipe closes, it kills what is still registered.
 */
final class Reaper implements AutoCloseable {
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            alive=
            while read -r verb pid; do
              rest=
              for p in $alive; do [ "$p" = "$pid" ] || rest="$rest $p"; done
              alive=$rest
              [ "$verb" = born ] && alive="$alive $pid"
            done
            for p in $alive; do kill -KILL "$p" 2>/dev/null; done
            """;

    private final Process shell;
    private final Writer orders;

    Reaper() {
        try {
            shell = new ProcessBuilder("sh", "-c", SCRIPT)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the shell that cleans up", e);
        }
        orders = shell.outputWriter(StandardCharsets.US_ASCII);
    }

    void born(Process process) {
        order("born " + process.pid());
    }

    /** A pid may be used again once its process is gone, so it must not be killed any more. */
    void gone(Process process) {
        order("gone " + process.pid());
    }

    private void order(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the shell that cleans up is gone", e);
        }
    }

    /** Kills what is still registered. */
    @Override
    public void close() {
        try {
            orders.close();
            shell.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("the shell that cleans up is gone", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
