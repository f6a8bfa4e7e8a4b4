package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

/** A command in a session of its own, with our input, output and errors. Its pid is that of its process group and session. */
final class Job {
    // Begins only when the warden knows its pid: no moment at which it runs unguarded.
    private static final String AT_THE_GATE = "read -r go <\"$0\" && exec \"$@\"";

    private final Process process;

    // Those that may since have left the session, or lost their parent.
    private final Set<ProcessHandle> descendants = new LinkedHashSet<>();

    private Job(Process process) {
        this.process = process;
    }

    /**
     * Starts it; it waits at the gate.
     *
     * @param command the program and its arguments
     * @param environment what it sees beyond our environment; empty text takes a variable away
     */
    static Job start(List<String> command, Map<String, String> environment, Path gate) throws IOException {
        List<String> line = new ArrayList<>(Warden.session());
        line.addAll(List.of("sh", "-c", AT_THE_GATE, gate.toString()));
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
        environment.forEach((name, value) -> {
            if (value.isEmpty()) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        return new Job(builder.start());
    }

    long pid() {
        return process.pid();
    }

    /**
     * Has its end told.
     *
     * @param listener gets the exit code: 128 + n if signal n ended it
     */
    void onEnd(IntConsumer listener) {
        // A thread of its own: onExit() needs one of the common pool, and others may keep that busy.
        Thread waiting = new Thread(
                () -> {
                    try {
                        listener.accept(process.waitFor());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt(); // nobody does that
                    }
                },
                "holdfast-job");
        waiting.setDaemon(true);
        waiting.start();
    }

    /** Takes note of all descendants: once their parents are gone they are not to be found this way. */
    void findDescendants() {
        process.descendants().forEach(descendants::add);
    }

    /** SIGKILL to the command and to whatever descends from it, also outside its session. */
    void killTree() {
        findDescendants();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }
}
