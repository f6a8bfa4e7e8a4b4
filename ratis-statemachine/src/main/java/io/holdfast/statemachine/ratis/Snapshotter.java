package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.snapshot.Batch;
import io.holdfast.statemachine.snapshot.Checkpoint;
import io.holdfast.statemachine.snapshot.FailedSyncException;
import io.holdfast.statemachine.snapshot.StateStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots on a thread of its own, so that applying waits only while the changes are gathered, not while they are written. Thread safe.
 */
final class Snapshotter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshotter.class);

    // A disk that failed a moment ago is given time. The log grows meanwhile, and all that it needs is in it.
    private static final Duration BETWEEN_FAILURES = Duration.ofSeconds(10);

    // A follower that receives one must not find that it is gone; one that will never be back must not fill the disk.
    private static final int MORE_WHILE_SENDING = 5;

    private final StateStore store;
    private final SnapshotPolicy policy;
    private final Replica replica;
    private final LongSupplier nanoTime;
    private final ExecutorService thread;

    // Of the log since the last changes were taken.
    private final AtomicLong logBytes = new AtomicLong();
    private final AtomicBoolean isDue = new AtomicBoolean();
    private volatile long notBeforeNanos;

    // Taken from the table, and not yet saved. The thread's only.
    private @Nullable Batch unsaved;

    /** The replica whose snapshots are taken. */
    interface Replica {
        /** {@return log index of the last entry applied; 0 if there was none} */
        long appliedIndex();

        /** {@return what changed in the table, which counts as saved from now on} */
        Batch takeChanges();

        /** Tells Ratis that there is a new checkpoint, so that it purges its log up to it. */
        void announce();

        /** {@return whether a follower is, or should be, receiving a checkpoint} */
        boolean isSending();

        /** Ends the node: its disk cannot be trusted. */
        void fail(String reason);
    }

    Snapshotter(StateStore store, SnapshotPolicy policy, Replica replica, LongSupplier nanoTime) {
        this.store = store;
        this.policy = policy;
        this.replica = replica;
        this.nanoTime = nanoTime;
        this.notBeforeNanos = nanoTime.getAsLong();
        // Its thread ends when there has been nothing to do for a while.
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1,
                1,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("holdfast-snapshot").factory());
        pool.allowCoreThreadTimeOut(true);
        this.thread = pool;
    }

    /**
     * Counts an entry that was applied. Costs nothing to speak of.
     *
     * @param bytes its size in the log
     * @param changes how many records have changed by now
     */
    void applied(int bytes, int changes) {
        long logged = logBytes.addAndGet(bytes);
        if ((logged >= policy.logBytes() || changes >= policy.changes())
                && nanoTime.getAsLong() - notBeforeNanos >= 0
                && isDue.compareAndSet(false, true)) {
            try {
                thread.execute(this::takeWhatIsDue);
            } catch (RejectedExecutionException e) {
                LOG.debug("Closed");
            }
        }
    }

    private void takeWhatIsDue() {
        try {
            var unused = take();
        } catch (IOException e) {
            LOG.warn("No snapshot could be taken; there will be another try: {}", e.getMessage());
        } finally {
            isDue.set(false);
        }
    }

    /**
     * Takes a snapshot of what is applied by now.
     *
     * @return the newest snapshot then; fails with an {@link IOException} if there is none, or the disk fails
     */
    CompletableFuture<SnapshotTaken> request() {
        CompletableFuture<SnapshotTaken> taken = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                try {
                    taken.complete(take());
                } catch (IOException | RuntimeException e) {
                    taken.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            taken.completeExceptionally(new IOException("the node is stopping", e));
        }
        return taken;
    }

    private SnapshotTaken take() throws IOException {
        try {
            if (unsaved != null) {
                var unused = save(unsaved, 0, nanoTime.getAsLong());
            }
            return takeAnew();
        } catch (FailedSyncException e) {
            replica.fail(String.valueOf(e.getMessage()));
            throw e;
        } catch (IOException | RuntimeException e) {
            notBeforeNanos = nanoTime.getAsLong() + BETWEEN_FAILURES.toNanos();
            throw e;
        }
    }

    private SnapshotTaken takeAnew() throws IOException {
        Optional<Checkpoint> newest = store.newest();
        long known = newest.map(Checkpoint::index).orElse(0L);
        if (replica.appliedIndex() == known) {
            return newest.map(it -> new SnapshotTaken(it.term(), it.index(), false, 0, 0, 0, it.bytes()))
                    .orElseThrow(() -> new IOException("nothing has been applied yet: there is no state to keep"));
        }
        long began = nanoTime.getAsLong();
        Batch batch = replica.takeChanges();
        long blocked = nanoTime.getAsLong() - began;
        logBytes.set(0);
        return save(batch, blocked, began);
    }

    private SnapshotTaken save(Batch batch, long blocked, long began) throws IOException {
        unsaved = batch;
        Optional<Checkpoint> made = store.save(batch);
        unsaved = null;
        Checkpoint checkpoint = made.orElseThrow(
                () -> new IOException("the leader's snapshot came in between, and has taken the place of this node's"));
        replica.announce();
        store.deleteOld(policy.keep() + (replica.isSending() ? MORE_WHILE_SENDING : 0));
        SnapshotTaken taken = new SnapshotTaken(
                checkpoint.term(),
                checkpoint.index(),
                true,
                batch.changes().present().size() + batch.changes().gone().size(),
                blocked,
                nanoTime.getAsLong() - began,
                checkpoint.bytes());
        LOG.info(
                "Snapshot at log index {}: {} changes, {} ms, of which applying waited for {}; {} KiB in all",
                taken.index(),
                taken.changes(),
                TimeUnit.NANOSECONDS.toMillis(taken.tookNanos()),
                TimeUnit.NANOSECONDS.toMillis(taken.blockedNanos()),
                taken.bytes() >> 10);
        return taken;
    }

    /** Takes no more; one that is under way goes on. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
