package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Protects {@code raft-meta} (term and vote) and {@code raft-meta.conf} (the members), which have no checksum: a node that takes a wrong one for right may vote twice in a term, or count a majority of the wrong members.
 *
 * <p>While the node runs, each change is noted in a side file with a checksum, a moment after it has happened. At the next start a file with the size and time that were noted must have the content that was noted; and whatever was written since, the term may only have grown, a vote may only have been added, and the configuration may only be a newer one. Both files must read like what Ratis writes, and the term must reach that of the log.
 *
 * <p>It cannot see a change that came after the last that was noted and reads like one of Ratis' own (another digit in a greater term, another member's id as the vote, an address that is one too), nor that the whole folder is an older copy of itself. Thread safe.
 */
final class MetaGuard {
    private static final Logger LOG = LoggerFactory.getLogger(MetaGuard.class);

    // A file system tells times apart by some milliseconds: what was written just now may be written again at the same
    // time. So a file is noted only after it has stayed the same for so long.
    private static final Duration REST = Duration.ofMillis(100);

    private final GroupFolder folder;
    private final LongSupplier nanoTime;

    // Guards the fields below, and that one thread at a time writes the side file.
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Prints noted;
    private @Nullable Prints seen;
    private long seenAtNanos;
    private boolean isFailing;
    private boolean isClosed;

    /** Both files as they were at one time; the configuration need not exist. */
    private record Prints(FilePrint meta, Optional<FilePrint> configuration) {}

    /**
     * Guards the files of a node.
     *
     * @param folder where they are
     * @param nanoTime a clock, in ns
     */
    MetaGuard(GroupFolder folder, LongSupplier nanoTime) {
        this.folder = folder;
        this.nanoTime = nanoTime;
    }

    /**
     * Checks both files before Ratis reads them.
     *
     * @param folder where they are
     * @param log what the log holds
     * @throws DamagedDataException if one is not what was once written
     * @throws IOException if one cannot be read
     */
    static void check(GroupFolder folder, LogCheck.Extent log) throws IOException {
        Path file = folder.meta();
        if (Files.notExists(file)) {
            throw new DamagedDataException(file, -1, "missing, though there is a log, or a snapshot");
        }
        MetaRepair.repair(folder, log);
        byte[] bytes = Files.readAllBytes(file);
        RaftMeta meta = RaftMeta.parse(file, bytes);
        if (meta.term() < log.lastTerm()) {
            throw new DamagedDataException(
                    file, -1, "term " + meta.term() + ", though the log has entries of term " + log.lastTerm());
        }
        Optional<MetaSeal> seal = MetaSeal.read(folder.root());
        if (seal.isPresent()) {
            checkNoted(seal.get().metaPrint(), seal.get().metaChecksum(), file, bytes);
            checkGrown(seal.get().meta(), meta, file);
        }
        if (Files.exists(folder.configuration()) || log.firstIndex() > 0) {
            checkConfiguration(folder.configuration(), seal.flatMap(MetaSeal::configuration));
        }
    }

    private static void checkNoted(FilePrint noted, long checksum, Path file, byte[] bytes) throws IOException {
        if (FilePrint.of(file).equals(noted) && FilePrint.checksum(bytes) != checksum) {
            throw new DamagedDataException(
                    file, -1, "changed, though its time and size are those it was last seen with");
        }
    }

    private static void checkGrown(RaftMeta noted, RaftMeta meta, Path file) throws DamagedDataException {
        if (meta.term() < noted.term()) {
            throw new DamagedDataException(
                    file, -1, "term " + meta.term() + ", though this node was in term " + noted.term() + " before");
        }
        if (meta.term() == noted.term()
                && !noted.votedFor().isEmpty()
                && !noted.votedFor().equals(meta.votedFor())) {
            throw new DamagedDataException(
                    file,
                    -1,
                    "a vote for '" + meta.votedFor() + "' in term " + meta.term() + ", in which this node voted for '"
                            + noted.votedFor() + "'");
        }
    }

    private static void checkConfiguration(Path file, Optional<MetaSeal.OfConfiguration> noted) throws IOException {
        if (Files.notExists(file)) {
            if (noted.isPresent()) {
                throw new DamagedDataException(file, -1, "missing");
            }
            return;
        }
        byte[] bytes = Files.readAllBytes(file);
        LogEntryProto entry = ConfigurationFile.parse(file, bytes);
        if (noted.isPresent()) {
            checkNoted(noted.get().print(), noted.get().checksum(), file, bytes);
            if (entry.getIndex() < noted.get().index()) {
                throw new DamagedDataException(
                        file,
                        -1,
                        "the configuration of entry " + entry.getIndex() + ", though this node had that of entry "
                                + noted.get().index());
            }
        }
    }

    /** Notes what has changed, once it is at rest. To be called now and then, best every 100 ms or more; costs next to nothing without a change. */
    void poll() {
        underLock(this::noteIfAtRest);
    }

    private void noteIfAtRest() throws IOException {
        Prints now = prints();
        if (now.equals(noted)) {
            return;
        }
        long nanos = nanoTime.getAsLong();
        if (!now.equals(seen)) {
            seen = now;
            seenAtNanos = nanos;
            // Ratis forces a file before it renames it, and not the new name.
            Folders.force(folder.current());
        } else if (nanos - seenAtNanos >= REST.toNanos()) {
            note(now);
        }
    }

    /** Notes what has changed after Ratis has stopped, and nothing any more from then on: the folder may be another's. */
    void close() {
        underLock(() -> {
            isClosed = true;
            note(prints());
        });
    }

    private void underLock(Noting noting) {
        lock.lock();
        try {
            if (!isClosed && Files.exists(folder.meta())) {
                noting.run();
                isFailing = false;
            }
        } catch (IOException e) {
            if (!isFailing) {
                LOG.warn("Cannot note term and configuration in {}: {}", folder.root(), e.toString());
            }
            isFailing = true;
        } finally {
            lock.unlock();
        }
    }

    private interface Noting {
        void run() throws IOException;
    }

    private Prints prints() throws IOException {
        Path configuration = folder.configuration();
        return new Prints(
                FilePrint.of(folder.meta()),
                Files.exists(configuration) ? Optional.of(FilePrint.of(configuration)) : Optional.empty());
    }

    private void note(Prints prints) throws IOException {
        byte[] meta = Files.readAllBytes(folder.meta());
        Optional<MetaSeal.OfConfiguration> configuration = Optional.empty();
        if (prints.configuration().isPresent()) {
            byte[] bytes = Files.readAllBytes(folder.configuration());
            configuration = Optional.of(MetaSeal.OfConfiguration.of(
                    prints.configuration().get(),
                    bytes,
                    ConfigurationFile.parse(folder.configuration(), bytes).getIndex()));
        }
        if (prints().equals(prints)) { // else it was replaced just now, and what was read may be of either
            new MetaSeal(prints.meta(), FilePrint.checksum(meta), RaftMeta.parse(folder.meta(), meta), configuration)
                    .write(folder.root());
            noted = prints;
        }
    }
}
