package io.holdfast.server.node;

import io.holdfast.server.config.ConfigException;
import io.holdfast.server.config.ConfigFile;
import io.holdfast.server.config.ServerConfig;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node in the foreground of a process: runs until the process is told to end, or the node can go no further. */
public final class NodeProcess {
    /** The node stopped because it was told to. */
    public static final int STOPPED = 0;

    /** It could not start: the configuration, or what it names, is not right. */
    public static final int NOT_STARTED = 2;

    /** It stopped for a reason that is in the log. */
    public static final int FAILED = 70;

    private static final Logger LOG = LoggerFactory.getLogger(NodeProcess.class);

    /** Whoever sent the signal waits: after this, what is still open is left to the operating system. All that was acknowledged is on disk long since. */
    private static final Duration STOP_PATIENCE = Duration.ofMillis(4_500);

    private final PrintStream err;
    private final IntConsumer halt;
    private final BlockingQueue<Ending> endings = new LinkedBlockingQueue<>();

    // How many signals came: the second does not wait for the first to be heeded.
    private final AtomicInteger signals = new AtomicInteger();

    NodeProcess(PrintStream err, IntConsumer halt) {
        this.err = err;
        this.halt = halt;
    }

    /** Why a node is to end. */
    private sealed interface Ending {
        record Signal(String name) implements Ending {}

        record Failure(String reason) implements Ending {}
    }

    /**
     * Runs a node until the process is told to end (SIGTERM, SIGINT). A second such signal ends the process at once.
     *
     * @param file its configuration
     * @param rejoin whether to move its old data aside first, and to begin anew
     * @param err where it says why it cannot start
     * @param signals tells of signals
     * @return the exit code of the process
     * @throws InterruptedException if interrupted; the node is then stopped
     */
    public static int run(Path file, boolean rejoin, PrintStream err, StopSignals signals) throws InterruptedException {
        return new NodeProcess(err, Runtime.getRuntime()::halt).run(file, rejoin, signals);
    }

    int run(Path file, boolean rejoin, StopSignals stopSignals) throws InterruptedException {
        stopSignals.tell(this::signalled);
        Node node;
        try {
            ServerConfig config = ConfigFile.load(file);
            if (rejoin) {
                moveAside(config);
            }
            node = Node.start(config, reason -> endings.add(new Ending.Failure(reason)));
        } catch (ConfigException | StartException e) {
            err.println("holdfast: " + e.getMessage());
            return NOT_STARTED;
        }
        // For the ways to end that tell nobody before, such as SIGHUP.
        Thread hook = new Thread(node::close, "holdfast-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return end(node, endings.take());
        } catch (InterruptedException e) {
            node.close();
            throw e;
        } finally {
            forget(hook);
        }
    }

    private void moveAside(ServerConfig config) throws StartException {
        Optional<Path> aside = DataFolder.moveAside(config, Instant.now());
        err.println(aside.map(it -> "holdfast: the old data is now in " + it + "; nothing of it was deleted")
                .orElse("holdfast: there is no old data in " + config.data() + " to move aside"));
    }

    private int end(Node node, Ending ending) throws InterruptedException {
        switch (ending) {
            case Ending.Signal signal -> {
                LOG.info("SIG{}: the node stops; a second one would end it at once", signal.name());
                close(node);
                return STOPPED;
            }
            case Ending.Failure failure -> {
                LOG.error("The node stops: {}", failure.reason());
                err.println("holdfast: the node stops: " + failure.reason());
                close(node);
                return FAILED;
            }
        }
    }

    private void close(Node node) throws InterruptedException {
        Thread closing = Thread.ofPlatform().name("holdfast-stop").daemon().start(node::close);
        if (!closing.join(STOP_PATIENCE)) {
            LOG.warn("Not all has stopped after {} ms: ending all the same", STOP_PATIENCE.toMillis());
        }
    }

    private void signalled(String name) {
        if (signals.incrementAndGet() > 1) {
            halt.accept(name.equals("INT") ? 130 : 143);
        }
        endings.add(new Ending.Signal(name));
    }

    private static void forget(Thread hook) {
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already, and the hook does its work.
        }
    }
}
