package io.holdfast.jepsen.process;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.holdfast.jepsen.wire.Wire;
import io.holdfast.v1.GetNodeStatusResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * One real node: its folder, and the process that runs it at the moment, if any.
 *
 * <p>Each fault returns when it has taken effect. Faults are one thread's business; {@link #wire()} is everybody's.
 */
public final class NodeProcess implements AutoCloseable {
    private static final Duration SIGNAL_TIMEOUT = Duration.ofSeconds(10);

    private static final Pattern HISTOGRAM_TOTAL = Pattern.compile("(?m)^Total +[0-9]+ +([0-9]+)$");

    private final NodeAddress address;
    private final Path folder;
    private final List<String> command;
    private final Reaper reaper;
    private final Wire wire;

    // Written by the thread that makes faults, read by whoever asks for the leader.
    private volatile Optional<Process> process = Optional.empty();
    private volatile boolean paused;

    NodeProcess(NodeAddress address, Path folder, List<String> command, Reaper reaper) {
        this.address = address;
        this.folder = folder;
        this.command = List.copyOf(command);
        this.reaper = reaper;
        this.wire = new Wire(address.endpoint());
    }

    /** {@return the node's name} */
    public String id() {
        return address.id();
    }

    /** {@return where it listens} */
    public NodeAddress address() {
        return address;
    }

    /** {@return a connection to it} */
    public Wire wire() {
        return wire;
    }

    /** {@return what it keeps on disk} */
    public Path data() {
        return folder.resolve("data");
    }

    /** {@return its configuration file} */
    public Path config() {
        return folder.resolve("config.yaml");
    }

    /** {@return what it printed, over all its lives} */
    public Path log() {
        return folder.resolve("node.log");
    }

    /** Starts a process; does not wait until it answers. */
    public void start() {
        startWith();
    }

    /** Starts a process, this once with more options. */
    public void startWith(String... options) {
        if (isAlive()) {
            throw new IllegalStateException(id() + " runs already");
        }
        process.ifPresent(reaper::gone);
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.directory(folder.toFile());
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        try {
            Process started = builder.start();
            reaper.born(started);
            process = Optional.of(started);
            paused = false;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + id(), e);
        }
    }

    /** Loses its disk: removes all that it keeps. It must not run. */
    public void wipe() {
        if (isAlive()) {
            throw new IllegalStateException(id() + " still runs");
        }
        try (var files = Files.walk(data())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + data(), e);
        }
    }

    /** {@return the exit code, once it has ended by itself} */
    public int awaitEnd(Duration patience) {
        Awaitility.await(id() + " ends").atMost(patience).until(() -> crash().isPresent());
        return crash().orElseThrow();
    }

    /** {@return whether it has a process, frozen or not} */
    public boolean isAlive() {
        return process.filter(Process::isAlive).isPresent();
    }

    /** {@return whether it has a process that is not frozen} */
    public boolean isRunning() {
        return isAlive() && !paused;
    }

    /** {@return the pid of the process} */
    public long pid() {
        return running().pid();
    }

    /** {@return what the node says about itself; empty if it does not run or does not answer} */
    public Optional<GetNodeStatusResponse> status() {
        return isRunning() ? wire.status() : Optional.empty();
    }

    /** SIGKILL. */
    public void kill() {
        Process victim = running();
        victim.destroyForcibly();
        buried(victim, SIGNAL_TIMEOUT, "SIGKILL");
    }

    /**
     * SIGTERM.
     *
     * @param patience how long it may take to stop
     * @return its exit code
     */
    public int terminate(Duration patience) {
        Process victim = running();
        victim.destroy();
        buried(victim, patience, "SIGTERM");
        return victim.exitValue();
    }

    /** SIGSTOP: freezes all threads. */
    public void pause() {
        long pid = pid();
        Signal.STOP.send(pid);
        Awaitility.await(id() + " freezes").atMost(SIGNAL_TIMEOUT).until(() -> Signal.isStopped(pid));
        paused = true;
    }

    /** SIGCONT. */
    public void resume() {
        long pid = pid();
        Signal.CONT.send(pid);
        Awaitility.await(id() + " wakes").atMost(SIGNAL_TIMEOUT).until(() -> !Signal.isStopped(pid));
        paused = false;
    }

    /** {@return whether it is frozen} */
    public boolean isPaused() {
        return isAlive() && paused;
    }

    /** {@return the exit code of a process that ended without a fault of ours} */
    Optional<Integer> crash() {
        return process.filter(p -> !p.isAlive()).map(Process::exitValue);
    }

    /** {@return lines of the log that an operator would be called for} */
    List<String> logErrors() {
        return logLines().stream().filter(line -> line.contains(" ERROR ")).toList();
    }

    /** {@return processor time used since the process began} */
    public Duration cpuTime() {
        return running()
                .info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("no CPU time of " + id()));
    }

    /** {@return resident memory} */
    public long residentBytes() {
        return Long.parseLong(Signal.run("ps", "-o", "rss=", "-p", Long.toString(pid()))
                        .strip())
                * 1024;
    }

    /** {@return what is alive in its heap: the JVM collects garbage first} */
    public long liveHeapBytes() {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String histogram = Signal.run(jcmd, Long.toString(pid()), "GC.class_histogram");
        Matcher total = HISTOGRAM_TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IllegalStateException("jcmd gave no total: " + histogram);
        }
        return Long.parseLong(total.group(1));
    }

    /** {@return the last lines of what it printed} */
    public String logTail(int lines) {
        List<String> all = logLines();
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }

    private List<String> logLines() {
        try {
            return Files.exists(log()) ? Files.readAllLines(log()) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log(), e);
        }
    }

    /** Kills the process if there is one. */
    @Override
    public void close() {
        wire.close();
        if (isAlive()) {
            kill();
        }
    }

    private Process running() {
        return process.filter(Process::isAlive).orElseThrow(() -> new IllegalStateException(id() + " does not run"));
    }

    private void buried(Process victim, Duration patience, String signal) {
        try {
            if (!victim.waitFor(patience.toNanos(), NANOSECONDS)) {
                throw new IllegalStateException(
                        id() + " still runs " + patience + " after " + signal, new TimeoutException());
            }
            reaper.gone(victim);
            process = Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of " + id(), e);
        }
    }
}
