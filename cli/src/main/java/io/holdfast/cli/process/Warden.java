package io.holdfast.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The companion process that ends a command's session should this process die or freeze: {@code warden.sh}, whose head tells the protocol. It is also the arm that sends signals, which Java cannot send to a group.
 *
 * <p>Used by one thread. An order that it cannot take any more, since somebody killed it, is dropped: ask {@link #isAlive}.
 */
final class Warden implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);
    private static final String END = "";

    private final Process process;
    private final Path gate;
    private final OutputStream orders;

    // Filled by the thread that reads the warden's output, END last.
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private boolean expired;

    private Warden(Process process, Path gate) {
        this.process = process;
        this.gate = gate;
        this.orders = process.getOutputStream();
        Thread reader = new Thread(this::readAnswers, "holdfast-warden");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts one. It takes a moment to be {@linkplain #awaitReady ready}.
     *
     * @param lock what the command runs under, for messages
     * @throws IOException if it cannot be started: no shell, no program that makes a session, no temporary folder
     */
    static Warden start(String lock) throws IOException {
        Path folder = Files.createTempDirectory("holdfast-run-");
        Path script = folder.resolve("warden.sh");
        try (InputStream resource = Warden.class.getResourceAsStream("warden.sh")) {
            Files.copy(Objects.requireNonNull(resource, "warden.sh is missing from the jar"), script);
        }
        Path shell = Executables.find("bash")
                .or(() -> Executables.find("sh"))
                .orElseThrow(() -> new IOException("no bash and no sh in PATH"));
        List<String> line = new ArrayList<>(session());
        Path gate = folder.resolve("gate");
        line.addAll(List.of(shell.toString(), script.toString(), gate.toString(), lock));
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        // What makes a shell read files of the user's has no business here.
        builder.environment().keySet().removeAll(List.of("BASH_ENV", "ENV"));
        return new Warden(builder.start(), gate);
    }

    /** Waits until there is a gate. */
    void awaitReady() throws IOException, InterruptedException {
        if (await("ready", START_TIMEOUT).isEmpty()) {
            process.destroyForcibly();
            throw new IOException("the warden process did not start");
        }
    }

    static List<String> session() throws IOException {
        return Executables.ownSession()
                .orElseThrow(() -> new IOException("no setsid (util-linux) and no perl in PATH"));
    }

    /** Where a command waits until the warden knows of it: it may start when it could read a line here. */
    Path gate() {
        return gate;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** From now on the warden answers for this session; the command may start. */
    void guard(long pid) {
        order("child " + pid);
    }

    void lease(LeaseTimes times) {
        order("lease " + BootClock.hundredths(times.wardenTermAt()) + " " + BootClock.hundredths(times.wardenKillAt()));
    }

    void unleash() {
        order("unleashed");
    }

    void signal(String name) {
        order("signal " + name);
    }

    void terminate() {
        order("terminate");
    }

    void kill() {
        order("kill");
    }

    /**
     * Ends what is left of the session, and waits for it.
     *
     * @param grace between SIGTERM and SIGKILL
     * @return how many processes there were; empty if the warden is gone
     */
    Optional<Integer> sweep(Duration grace) throws InterruptedException {
        order("sweep " + grace.toMillis() / 10);
        return await("swept", grace.plus(START_TIMEOUT)).map(answer -> Integer.parseInt(answer.substring(6)));
    }

    /** True if the warden has ended the command because the lease was not renewed in time. Known for sure after a {@link #sweep}. */
    boolean hasExpired() {
        return expired;
    }

    /** From now on there is nothing to guard. */
    void dismiss() {
        order("done");
    }

    /** Leaves it alone. Unless {@linkplain #dismiss dismissed} it ends what it guards, as if this process had died. Nothing of it stays behind. */
    @Override
    public void close() {
        try {
            orders.close();
            if (!process.isAlive()) {
                Files.deleteIfExists(gate.resolveSibling("warden.sh"));
                Files.deleteIfExists(gate);
                Files.deleteIfExists(gate.getParent());
            }
        } catch (IOException e) {
            return; // it is gone, and what it left is a few bytes in a temporary folder
        }
    }

    private void order(String order) {
        try {
            // One write a line: the warden must never see half of one.
            orders.write((order + "\n").getBytes(UTF_8));
            orders.flush();
        } catch (IOException e) {
            process.destroyForcibly(); // deaf, so of no use: let isAlive say so
        }
    }

    /** Waits for an answer that begins so, and takes note of the others. */
    private Optional<String> await(String beginning, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (true) {
            String answer = answers.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (answer == null || answer.equals(END)) {
                return Optional.empty();
            }
            expired |= answer.equals("expired");
            if (answer.startsWith(beginning)) {
                return Optional.of(answer);
            }
        }
    }

    private void readAnswers() {
        try (BufferedReader reader = process.inputReader(UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            process.destroyForcibly(); // as with an order that cannot be given
        } finally {
            answers.add(END);
        }
    }
}
