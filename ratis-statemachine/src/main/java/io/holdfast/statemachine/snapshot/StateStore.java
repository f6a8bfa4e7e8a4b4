package io.holdfast.statemachine.snapshot;

import io.holdfast.core.Limits;
import io.holdfast.core.LockTable;
import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one replica's state on disk, as checkpoints: each is whole and never changes. Thread safe.
 *
 * <p>Within the folder that Ratis has for the group, {@code sm} holds the checkpoints, and nothing else: when Ratis installs one that the leader sent, it puts another folder in the place of {@code sm}. {@code live} holds the open RocksDB, {@code drafts} what is not yet a checkpoint, and {@code tmp} is where Ratis puts together what it receives.
 */
public final class StateStore implements AutoCloseable {
    private final Path root;
    private final String cluster;
    private final Limits limits;
    private final Checkpoints checkpoints;

    // Guards the live store, and what is written. Held for as long as a snapshot takes. Taken before names.
    private final ReentrantLock work = new ReentrantLock();
    private @Nullable LiveStore live;
    private long generation;

    // Guards which checkpoints there are. Never held for long: Ratis waits for it.
    private final ReentrantLock names = new ReentrantLock();
    private final Map<Path, Integer> pins = new HashMap<>();
    // True from when Ratis is about to install a checkpoint until it is loaded: until then names in sm are Ratis'
    // alone.
    private boolean isPaused;

    /**
     * Opens the store of a replica. Nothing is read before {@link #load}.
     *
     * @param root Ratis' folder for the group
     * @param cluster name of the cluster
     * @param limits the bounds of the lock table
     */
    public StateStore(Path root, String cluster, Limits limits) {
        this.root = root;
        this.cluster = cluster;
        this.limits = limits;
        this.checkpoints = checkpoints(root);
    }

    private static Checkpoints checkpoints(Path root) {
        return new Checkpoints(root.resolve("sm"), root.resolve("drafts"));
    }

    /**
     * Looks at the files before a replica starts: removes what is half made or half received, and reads the newest checkpoint from end to end.
     *
     * @param root Ratis' folder for the group
     * @param cluster name of the cluster
     * @return log index of the newest checkpoint; −1 without any
     * @throws DamagedDataException if the newest checkpoint is not as it was written; the message names the file
     * @throws IOException if it is of a newer format, of another cluster, or cannot be read
     */
    public static long check(Path root, String cluster) throws IOException {
        Installs.recover(root);
        Checkpoints checkpoints = checkpoints(root);
        checkpoints.sweep();
        Optional<Checkpoint> newest = checkpoints.newest();
        if (newest.isEmpty()) {
            return -1;
        }
        requireCluster(newest.get(), cluster);
        newest.get().verify();
        return newest.get().index();
    }

    private static void requireCluster(Checkpoint checkpoint, String cluster) throws IOException {
        if (!checkpoint.cluster().equals(cluster)) {
            throw new IOException(
                    checkpoint + " is of cluster " + checkpoint.cluster() + ", and this node is one of " + cluster);
        }
    }

    /**
     * Loads the newest checkpoint, which {@link #check} has looked at; without any, a new table.
     *
     * @return the table, which is the caller's
     * @throws IOException if it cannot be read; {@link DamagedDataException} if what it holds is no state
     */
    public Loaded load() throws IOException {
        work.lock();
        try {
            closeLive();
            Optional<Checkpoint> newest = checkpoints.newest();
            LiveStore opened = open(newest);
            live = opened;
            LockTable table = newest.isPresent() ? opened.restore(limits) : new LockTable(limits);
            resume();
            generation++;
            return new Loaded(
                    table,
                    newest.map(Checkpoint::term).orElse(0L),
                    newest.map(Checkpoint::index).orElse(0L),
                    generation);
        } finally {
            work.unlock();
        }
    }

    /**
     * Loads the checkpoint that Ratis has just put there, once it has been read from end to end and is on the disk.
     *
     * @return the table, which is the caller's
     * @throws FailedSyncException if the disk does not confirm it
     * @throws IOException as {@link #check} and {@link #load}
     */
    public Loaded loadInstalled() throws IOException {
        Checkpoint installed = checkpoints
                .newest()
                .orElseThrow(() -> new IOException("there is no checkpoint in " + checkpoints.folder()));
        requireCluster(installed, cluster);
        installed.verify();
        installed.force();
        return load();
    }

    /**
     * Loads RocksDB's native code, which takes a while, before it is needed.
     *
     * @param folder an existing folder of this node's; only an empty folder stays in it
     * @throws IOException if nothing can be written there
     */
    public static void warmUp(Path folder) throws IOException {
        NativeLibrary.load(folder.resolve("native"));
    }

    private LiveStore open(Optional<Checkpoint> from) throws IOException {
        NativeLibrary.load(root.resolve("native"));
        return LiveStore.open(root.resolve("live"), from);
    }

    private void closeLive() {
        if (live != null) {
            live.close();
            live = null;
        }
    }

    /**
     * Keeps the names of checkpoints as they are until the next {@link #load}: Ratis is about to put others in their place. Does not wait for a snapshot that is being taken; it comes to nothing.
     */
    public void pause() {
        names.lock();
        try {
            isPaused = true;
        } finally {
            names.unlock();
        }
    }

    private void resume() {
        names.lock();
        try {
            isPaused = false;
        } finally {
            names.unlock();
        }
    }

    /**
     * Makes a checkpoint. May take seconds.
     *
     * @param batch the changes since the checkpoint before, or since the table was loaded
     * @return the checkpoint; empty if the table was loaded anew meanwhile, so that it is of no use
     * @throws FailedSyncException if the disk does not confirm it: the node must end
     * @throws IOException if it cannot be written; the same batch must then be saved before any later one
     */
    public Optional<Checkpoint> save(Batch batch) throws IOException {
        work.lock();
        try {
            if (batch.generation() != generation) {
                return Optional.empty();
            }
            Optional<Checkpoint> before = checkpoints.newest();
            LiveStore open = live;
            if (open == null) {
                open = open(before);
                live = open;
            }
            open.write(batch.changes());
            return publish(open, batch, before);
        } catch (IOException | RuntimeException e) {
            // It may have some of the batch, or be of no use at all: it is made anew from the last checkpoint.
            closeLive();
            if (isPaused()) {
                return Optional.empty();
            }
            throw e;
        } finally {
            work.unlock();
        }
    }

    private Optional<Checkpoint> publish(LiveStore from, Batch batch, Optional<Checkpoint> before) throws IOException {
        Path draft = checkpoints.draft(batch.term(), batch.index());
        from.checkpoint(draft);
        Checkpoint.seal(
                draft,
                cluster,
                batch.term(),
                batch.index(),
                batch.changes().store().featureLevel(),
                before);
        names.lock();
        try {
            if (isPaused) {
                return Optional.empty();
            }
            return Optional.of(checkpoints.publish(draft, batch.term(), batch.index()));
        } finally {
            names.unlock();
        }
    }

    private boolean isPaused() {
        names.lock();
        try {
            return isPaused;
        } finally {
            names.unlock();
        }
    }

    /**
     * Opens the newest checkpoint.
     *
     * @return empty if there is none
     * @throws IOException if its manifest cannot be read
     */
    public Optional<Checkpoint> newest() throws IOException {
        names.lock();
        try {
            return checkpoints.newest();
        } finally {
            names.unlock();
        }
    }

    /**
     * Tells what the state in a checkpoint is known by. Reads it as a whole, and needs as much memory as the replica itself meanwhile.
     *
     * @param checkpoint one of this store, pinned
     * @return what it holds
     * @throws IOException if it cannot be read
     */
    public StateFacts read(Checkpoint checkpoint) throws IOException {
        Files.createDirectories(checkpoints.drafts());
        Path copy = Files.createTempDirectory(checkpoints.drafts(), "read");
        try (LiveStore opened = LiveStore.open(copy, Optional.of(checkpoint))) {
            return new StateFacts(
                    opened.store().clockNanos(),
                    opened.store().lastToken(),
                    opened.restore(limits).digest());
        } finally {
            Trees.delete(copy);
        }
    }

    /**
     * Deletes all but the newest checkpoints, and those that are pinned.
     *
     * @param keep how many of the newest stay, ≥ 1
     * @throws IOException if one cannot be deleted; it is gone, or whole
     */
    public void deleteOld(int keep) throws IOException {
        names.lock();
        try {
            if (isPaused) {
                return;
            }
            List<Path> all = checkpoints.newestFirst();
            for (Path old : all.subList(Math.min(keep, all.size()), all.size())) {
                if (!pins.containsKey(old)) {
                    checkpoints.delete(old);
                }
            }
        } finally {
            names.unlock();
        }
    }

    /**
     * Keeps the newest checkpoint from being deleted as an old one. If Ratis installs another, it goes all the same.
     *
     * @return the checkpoint, until it is closed; empty if there is none
     * @throws IOException if its manifest cannot be read
     */
    public Optional<Pin> pinNewest() throws IOException {
        names.lock();
        try {
            Optional<Checkpoint> newest = checkpoints.newest();
            newest.ifPresent(it -> pins.merge(it.folder(), 1, Integer::sum));
            return newest.map(it -> new Pin(it, () -> unpin(it.folder())));
        } finally {
            names.unlock();
        }
    }

    private void unpin(Path folder) {
        names.lock();
        try {
            pins.computeIfPresent(folder, (path, count) -> count > 1 ? count - 1 : null);
        } finally {
            names.unlock();
        }
    }

    /**
     * A checkpoint that stays until this is closed.
     *
     * @param checkpoint the checkpoint
     * @param letGo to be called once
     */
    public record Pin(Checkpoint checkpoint, Runnable letGo) implements Closeable {
        @Override
        public void close() {
            letGo.run();
        }
    }

    /** Closes the live store, after a snapshot that is being taken. Checkpoints stay as they are. */
    @Override
    public void close() {
        work.lock();
        try {
            closeLive();
            generation++;
        } finally {
            work.unlock();
        }
    }
}
