package io.holdfast.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Who runs this process, and how they stop it. */
final class Caller {
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final int MAX_LABEL_BYTES = 256;

    private Caller() {}

    /** A call that may be interrupted. */
    interface Interruptible<T> {
        T call() throws InterruptedException;
    }

    /** {@code user@host}: who asks, for people. */
    static String label() {
        String label = System.getProperty("user.name", "?") + "@" + host();
        return label.getBytes(StandardCharsets.UTF_8).length <= MAX_LABEL_BYTES ? label : "";
    }

    private static String host() {
        try {
            return Files.readString(HOST_NAME).strip();
        } catch (IOException e) {
            return System.getenv().getOrDefault("HOSTNAME", "?"); // not on Linux: what the shell says
        }
    }

    /** Runs a call that is interrupted when the process is told to end (Ctrl-C, SIGTERM), and given a moment to clean up. */
    static <T> T givingUpWhenStopped(Interruptible<T> call) throws InterruptedException {
        Thread caller = Thread.currentThread();
        CountDownLatch done = new CountDownLatch(1);
        Thread hook = new Thread(() -> {
            caller.interrupt();
            try {
                // Longer than giving up a place may take.
                boolean unused = done.await(5, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return call.call();
        } finally {
            done.countDown();
            forget(hook);
        }
    }

    private static void forget(Thread hook) {
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook runs: it has done its work.
        }
    }
}
