package io.holdfast.statemachine.ratis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Notices that term or configuration are not on the disk. When Ratis cannot write them it logs that, and goes on with what it has in memory; or it never stands for election again. Not for more than one thread.
 */
final class MetaLag {
    // Writing takes milliseconds, on a disk that does.
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final GroupFolder folder;
    private final LongSupplier nanoTime;

    private Optional<String> lag = Optional.empty();
    private long sinceNanos;
    private long writtenIndex = -1;

    MetaLag(GroupFolder folder, LongSupplier nanoTime) {
        this.folder = folder;
        this.nanoTime = nanoTime;
    }

    /**
     * Compares what Ratis has in memory with what it has written.
     *
     * @param term the current term
     * @param writtenTerm the term that was written last
     * @param configurationIndex log index of the newest configuration
     * @param appliedIndex log index of the last entry that was applied; a configuration is written then
     * @return what has not been on the disk for seconds, as a sentence
     */
    Optional<String> poll(long term, long writtenTerm, long configurationIndex, long appliedIndex) {
        Optional<String> now = Optional.empty();
        if (writtenTerm < term) {
            now = Optional.of(notWritten("The term", folder.meta()));
        } else if (configurationIndex <= appliedIndex && !isWritten(configurationIndex)) {
            now = Optional.of(notWritten("The configuration", folder.configuration()));
        }
        if (!now.equals(lag)) {
            lag = now;
            sinceNanos = nanoTime.getAsLong();
        }
        return nanoTime.getAsLong() - sinceNanos >= PATIENCE.toNanos() ? lag : Optional.empty();
    }

    private boolean isWritten(long index) {
        if (index > writtenIndex) {
            writtenIndex = ConfigurationFile.index(folder.configuration());
        }
        return index <= writtenIndex;
    }

    private static String notWritten(String what, Path file) {
        return what + " cannot be written to " + file + ": see Raft's own messages for the cause";
    }
}
