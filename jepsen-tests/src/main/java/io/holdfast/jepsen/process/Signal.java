package io.holdfast.jepsen.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A signal that the Java library cannot send. */
enum Signal {
    STOP,
    CONT;

    void send(long pid) {
        run("kill", "-" + name(), Long.toString(pid));
    }

    /** {@return whether the process is stopped by a signal} */
    static boolean isStopped(long pid) {
        return run("ps", "-o", "stat=", "-p", Long.toString(pid)).strip().startsWith("T");
    }

    /** {@return what the command printed} */
    static String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            if (exit != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": exit " + exit + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command[0], e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in " + command[0], e);
        }
    }
}
