package io.holdfast.statemachine.ratis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the disk before it fails: at the space left, and at how long the log waits for it. A leader whose disk is bad should hand over: all others wait for its log. Not for more than one thread.
 */
final class DiskGuard {
    private static final Logger LOG = LoggerFactory.getLogger(DiskGuard.class);

    // The others' disks may be no better: then leadership must not go round and round.
    private static final Duration BETWEEN_HANDOVERS = Duration.ofMinutes(1);

    private final Path folder;
    private final long reserveBytes;
    private final LongSupplier nanoTime;

    private DiskState state;
    private long flushedIndex;
    private long progressNanos;
    private boolean isReported;
    private long nextHandoverNanos;

    /**
     * Guards a disk.
     *
     * @param folder a folder on it
     * @param reserveBytes space that should be left
     * @param nanoTime a clock, in ns
     */
    DiskGuard(Path folder, long reserveBytes, LongSupplier nanoTime) {
        this.folder = folder;
        this.reserveBytes = reserveBytes;
        this.nanoTime = nanoTime;
        this.state = new DiskState(Long.MAX_VALUE, reserveBytes, Duration.ZERO);
        this.progressNanos = nanoTime.getAsLong();
        this.nextHandoverNanos = progressNanos;
    }

    /**
     * Looks at the disk.
     *
     * @param lastIndex log index of the last entry that was given to the log
     * @param forcedIndex log index of the last entry that is on the disk
     * @return how it does
     */
    DiskState look(long lastIndex, long forcedIndex) {
        long now = nanoTime.getAsLong();
        if (forcedIndex != flushedIndex || lastIndex <= forcedIndex) {
            flushedIndex = forcedIndex;
            progressNanos = now;
        }
        state = new DiskState(usableBytes(), reserveBytes, Duration.ofNanos(now - progressNanos));
        report();
        return state;
    }

    private long usableBytes() {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            LOG.debug("Cannot tell the space left", e);
            return state.usableBytes();
        }
    }

    private void report() {
        boolean isNew = state.isBad() && !isReported;
        isReported = state.isBad();
        if (isNew && state.isStalled()) {
            LOG.warn(
                    "The disk of {} has taken no log entry for {} s",
                    folder,
                    state.stalled().toSeconds());
        } else if (isNew) {
            LOG.warn(
                    "The disk of {} is nearly full: {} MiB are left, {} should be. When it is full this node stops",
                    folder,
                    mib(state.usableBytes()),
                    mib(reserveBytes));
        }
    }

    private static long mib(long bytes) {
        return bytes >> 20;
    }

    /** Whether a node that leads should hand over now; says so no more often than once a minute. */
    boolean shouldHandOver() {
        long now = nanoTime.getAsLong();
        if (!state.isBad() || now - nextHandoverNanos < 0) {
            return false;
        }
        nextHandoverNanos = now + BETWEEN_HANDOVERS.toNanos();
        return true;
    }
}
