package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mends what a full disk does to {@code raft-meta} and {@code raft-meta.conf}: when Ratis 3.3.0 cannot write a new one, it puts an empty file in the place of the old.
 */
final class MetaRepair {
    private static final Logger LOG = LoggerFactory.getLogger(MetaRepair.class);

    // More elections than there can have been since the term was noted last, a fraction of a second before.
    private static final long TERMS = 1_000_000;

    private MetaRepair() {}

    /**
     * Replaces empty files, if it is certain by what.
     *
     * @param folder where they are
     * @param log what the log holds
     * @throws DamagedDataException if it is not
     */
    static void repair(GroupFolder folder, LogCheck.Extent log) throws IOException {
        Optional<MetaSeal> seal = MetaSeal.read(folder.root());
        if (isEmpty(folder.meta())) {
            repairMeta(folder.meta(), seal.map(MetaSeal::meta), log);
        }
        if (isEmpty(folder.configuration())) {
            repairConfiguration(folder, seal.flatMap(MetaSeal::configuration), log);
        }
    }

    private static boolean isEmpty(Path file) throws IOException {
        return Files.exists(file) && Files.size(file) == 0;
    }

    /** For whom this node voted last is not known, so it goes to a term in which it cannot have voted. */
    private static void repairMeta(Path file, Optional<RaftMeta> noted, LogCheck.Extent log) throws IOException {
        if (noted.isEmpty()) {
            throw new DamagedDataException(file, -1, "empty: it could not be written, perhaps for want of space");
        }
        RaftMeta meta = new RaftMeta(Math.max(noted.get().term(), log.lastTerm()) + TERMS, "");
        LOG.warn(
                "{} is empty: the disk was full when it was to be replaced. Going on in term {}, in which this node has"
                        + " not voted",
                file,
                meta.term());
        Folders.write(file, meta.bytes());
    }

    /** Ratis takes configurations that are in the log from there: the file counts for older ones. */
    private static void repairConfiguration(
            GroupFolder folder, Optional<MetaSeal.OfConfiguration> noted, LogCheck.Extent log) throws IOException {
        Path file = folder.configuration();
        if (log.firstIndex() == 0) {
            LOG.warn("Deleting {}, which is empty: the disk was full. The log has all configurations", file);
            Files.delete(file);
            Folders.force(folder.current());
        } else if (noted.isPresent() && noted.get().index() + 1 >= log.firstIndex()) {
            LOG.warn(
                    "{} is empty: the disk was full when it was to be replaced. Going on with the configuration of"
                            + " entry {}, and those in the log",
                    file,
                    noted.get().index());
            Folders.write(file, noted.get().bytes());
        } else {
            throw new DamagedDataException(file, -1, "empty: it could not be written, perhaps for want of space");
        }
    }
}
