package io.holdfast.server.node;

import io.holdfast.server.config.ConfigException;
import io.holdfast.server.config.ConfigFile;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
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

    private NodeProcess() {}

    /**
     * Runs a node until the process is told to end (SIGTERM, SIGINT).
     *
     * @param file its configuration
     * @param err where it says why it cannot start
     * @return the exit code of the process
     * @throws InterruptedException if interrupted; the node is then stopped
     */
    public static int run(Path file, PrintStream err) throws InterruptedException {
        BlockingQueue<String> failure = new ArrayBlockingQueue<>(1);
        Node node;
        try {
            node = Node.start(ConfigFile.load(file), failure::offer);
        } catch (ConfigException | StartException e) {
            err.println("holdfast: " + e.getMessage());
            return NOT_STARTED;
        }
        // The JVM ends when its hooks have: the node is stopped within one.
        Thread hook = new Thread(node::close, "holdfast-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        String reason = failure.take();
        LOG.error("The node stops: {}", reason);
        err.println("holdfast: the node stops: " + reason);
        return FAILED;
    }
}
