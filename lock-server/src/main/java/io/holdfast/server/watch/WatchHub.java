package io.holdfast.server.watch;

import io.holdfast.core.Applied;
import io.holdfast.core.LockTable;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells watchers what this node applies: each event once, in log order.
 *
 * <p>A watcher is a place in the ring of the last events, and no more: who takes nothing costs nothing but its place, and is cut off when what it was to be told next falls out of the ring. All who stand at the same place and see the same are sent the same bytes.
 *
 * <p>One thread owns the watchers; others send it messages. The applying thread only stores events in the ring, and never waits. Thread safe.
 */
public final class WatchHub implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchHub.class);
    private static final long SWEEP_NANOS = Duration.ofMillis(250).toNanos();

    private final WatchConfig config;
    private final LongSupplier nanoTime;
    private final EventRing ring;
    private final Backlog backlog;
    private final Fanout fanout;
    private final Thread thread;

    // What the owning thread is to do next.
    private final Queue<Runnable> messages = new ConcurrentLinkedQueue<>();
    private final AtomicInteger watchers = new AtomicInteger();

    // Why this node cannot tell what happens in the cluster; empty if it can.
    private volatile Optional<String> outOfTouch = Optional.of("this node has just started");
    private volatile boolean isClosed;

    // Owning thread only.
    private long sweptAtNanos;

    /**
     * Creates a hub that tells nothing yet. Call {@link #start} once watchers may come.
     *
     * @param config what watching may cost
     * @param encoder how the front door writes events
     * @param nanoTime the monotonic clock, in ns
     */
    public WatchHub(WatchConfig config, Encoder encoder, LongSupplier nanoTime) {
        this.config = config;
        this.nanoTime = nanoTime;
        this.ring = new EventRing(config.bufferEvents());
        this.backlog = new Backlog(ring);
        this.fanout = new Fanout(ring, encoder, nanoTime);
        this.sweptAtNanos = nanoTime.getAsLong();
        this.thread = new Thread(this::run, "holdfast-watch");
        this.thread.setDaemon(true);
    }

    /** Starts the thread that tells. */
    public void start() {
        thread.start();
    }

    /** What a front door holds of a watch. Thread safe. */
    public final class Watch {
        private final Watcher watcher;

        private Watch(Watcher watcher) {
            this.watcher = watcher;
        }

        /** The outlet takes messages again. */
        public void ready() {
            send(() -> fanout.ready(watcher));
        }

        /** Nobody watches any more. To be called once, however the watch ended. */
        public void close() {
            watchers.decrementAndGet();
            send(() -> fanout.leave(watcher));
        }
    }

    /**
     * Lets somebody watch.
     *
     * @param filter what to show
     * @param start the first place to tell of, past or to come; empty for what happens from now on
     * @param progress how long to say nothing at most
     * @param outlet where messages go; the first comes at once, and tells where the watch begins
     * @return the watch, to be closed; empty if there are as many as this node bears
     */
    public Optional<Watch> watch(Filter filter, Optional<Place> start, Duration progress, Outlet outlet) {
        if (watchers.incrementAndGet() > config.maxWatchers()) {
            watchers.decrementAndGet();
            return Optional.empty();
        }
        Watcher watcher = new Watcher(filter, start, progress.toNanos(), outlet);
        send(() -> begin(watcher));
        return Optional.of(new Watch(watcher));
    }

    private void begin(Watcher watcher) {
        if (isClosed) {
            watcher.outlet.end(new WatchEnd.Stopping());
            return;
        }
        outOfTouch.ifPresentOrElse(
                why -> watcher.outlet.end(new WatchEnd.Interrupted(why)), () -> fanout.begin(watcher));
    }

    /** {@return how many watch now} */
    public int watcherCount() {
        return watchers.get();
    }

    /** {@return the bounds, for doors that count too} */
    public WatchConfig config() {
        return config;
    }

    /**
     * An entry was applied. Applying thread.
     *
     * @param applied what it did
     */
    public void onApplied(Applied applied) {
        ring.append(applied.position().index(), applied.position().leaseTimeNanos(), applied.events());
        wake();
    }

    /**
     * The state is that of another table from now on; what led to it was not applied here. Applying thread.
     *
     * @param table the table; not kept
     */
    public void onReplaced(LockTable table) {
        backlog.replaced(table);
        wake();
    }

    /**
     * This node hears nothing of the cluster for now: whoever watches here does better elsewhere.
     *
     * @param reason why, in words; empty once it is in touch again
     */
    public void outOfTouch(Optional<String> reason) {
        boolean isNew = reason.isPresent() && outOfTouch.isEmpty();
        outOfTouch = reason;
        if (isNew) {
            String why = reason.orElseThrow();
            LOG.info("Ends all watches: {}", why);
            send(() -> fanout.cutAll(new WatchEnd.Interrupted(why)));
        }
    }

    private void send(Runnable message) {
        messages.add(message);
        wake();
    }

    private void wake() {
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!isClosed) {
            boolean hasMore;
            try {
                hasMore = step();
            } catch (RuntimeException e) {
                LOG.error("Watchers are cut off, by a bug", e);
                fanout.cutAll(new WatchEnd.Interrupted("a bug of the server; see its log"));
                hasMore = false;
            }
            if (!hasMore) {
                LockSupport.parkNanos(this, SWEEP_NANOS);
            }
        }
        drain();
        fanout.cutAll(new WatchEnd.Stopping());
    }

    /**
     * Does what is to be done now. Owning thread; tests call it instead.
     *
     * @return whether there may be more to do at once
     */
    boolean step() {
        drain();
        fanout.round();
        long now = nanoTime.getAsLong();
        if (now - sweptAtNanos >= SWEEP_NANOS) {
            sweptAtNanos = now;
            fanout.sweep();
        }
        return !messages.isEmpty() || !fanout.isAtEnd();
    }

    private void drain() {
        for (Runnable next = messages.poll(); next != null; next = messages.poll()) {
            next.run();
        }
    }

    /** Ends all watches. */
    @Override
    public void close() {
        isClosed = true;
        wake();
        try {
            thread.join(Duration.ofMillis(500));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
