package io.holdfast.client;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A watch that is under way, on a thread of its own, until it is closed. */
public final class Watch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * Gives one thing after another.
     *
     * @param <T> kind of thing
     */
    interface Source<T> extends AutoCloseable {
        /** Waits for the next. */
        T next() throws InterruptedException;

        @Override
        void close();
    }

    private Watch(String name, Consumer<Watch> run) {
        thread = new Thread(() -> run.accept(this), "holdfast-watch " + name);
        thread.setDaemon(true);
    }

    /**
     * Begins to tell.
     *
     * @param each hears each thing
     * @param failed hears why it ended, unless it was closed
     */
    static <T> Watch start(String name, Source<T> source, Consumer<T> each, Consumer<HoldfastException> failed) {
        Watch watch = new Watch(name, it -> it.run(source, each, failed));
        watch.thread.start();
        return watch;
    }

    private <T> void run(Source<T> source, Consumer<T> each, Consumer<HoldfastException> failed) {
        try (source) {
            while (!isClosed) {
                T next = source.next();
                tell(() -> each.accept(next));
            }
        } catch (InterruptedException e) {
            LOG.debug("A watch was closed", e);
        } catch (HoldfastException e) {
            if (!isClosed) {
                tell(() -> failed.accept(e));
            }
        }
    }

    private static void tell(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            // A listener's bug must not cost it what comes after.
            LOG.error("A listener of a watch threw", e);
        }
    }

    /** Ends the watch. What its listener is being told meanwhile is the last. */
    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
    }
}
