package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.disk.Folders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the whole log before Ratis does, which would take some damage for the end of the log and go on, and refuse what a crash may leave.
 *
 * <p>Every record must match its checksum, and the indexes must follow each other through all files. A record that a crash left half written is cut off: it was never confirmed to anyone. Anything else is damage.
 *
 * <p>It cannot see that the end of the log is missing as if it had never been there: a file cut between two records, or the last file deleted.
 */
final class LogCheck {
    private static final Logger LOG = LoggerFactory.getLogger(LogCheck.class);

    private final Path current;
    private final long snapshotIndex;

    // Of the last record read.
    private long lastIndex;
    private long lastTerm;

    private LogCheck(Path current, long snapshotIndex) {
        this.current = current;
        this.snapshotIndex = snapshotIndex;
    }

    /**
     * What the log holds.
     *
     * @param firstIndex log index of the first entry; without any, of the one that will be
     * @param lastIndex log index of the last entry; −1 without any
     * @param lastTerm term of the last entry; 0 without any
     */
    record Extent(long firstIndex, long lastIndex, long lastTerm) {}

    /**
     * Checks the log, and makes it one that Ratis can read. Afterwards all of it is on the disk.
     *
     * @param current the folder in which Ratis keeps it
     * @param snapshotIndex log index of the newest snapshot, −1 without one: entries up to it may be missing
     * @return what it holds
     * @throws DamagedDataException if it is not what was once written
     * @throws IOException if it cannot be read, or not be mended
     */
    static Extent check(Path current, long snapshotIndex) throws IOException {
        return new LogCheck(current, snapshotIndex).check();
    }

    private Extent check() throws IOException {
        List<SegmentFile> files = SegmentFile.in(current);
        files = files.subList(remainsOfPurge(files), files.size());
        lastIndex = files.isEmpty() ? -1 : files.get(0).start() - 1;
        if (lastIndex > snapshotIndex) {
            throw missing(files.get(0), snapshotIndex + 1);
        }
        for (int i = 0; i < files.size(); i++) {
            SegmentFile file = files.get(i);
            if (file.start() != lastIndex + 1) {
                throw missing(file, lastIndex + 1);
            }
            if (!file.isOpen()) {
                checkClosed(file);
            } else if (i == files.size() - 1) {
                checkOpen(file);
            } else {
                throw new DamagedDataException(
                        file.path(),
                        -1,
                        "still open, though " + files.get(i + 1).path() + " follows");
            }
        }
        return lastTerm == 0
                ? new Extent(snapshotIndex + 1, -1, 0)
                : new Extent(files.get(0).start(), lastIndex, lastTerm);
    }

    private static DamagedDataException missing(SegmentFile file, long expected) {
        return new DamagedDataException(
                file.path(), -1, "begins with entry " + file.start() + " where entry " + expected + " is due");
    }

    /**
     * Ratis purges the newest files first, and a crash may stop it between two: then older ones are left that nobody needs, and would keep Ratis from starting.
     *
     * @return how many of the files were such, and are deleted
     */
    private int remainsOfPurge(List<SegmentFile> files) throws IOException {
        int remains = 0;
        for (int i = 1; i < files.size(); i++) {
            SegmentFile before = files.get(i - 1);
            boolean isGap = !before.isOpen() && files.get(i).start() > before.end() + 1;
            if (isGap && files.get(i).start() <= snapshotIndex + 1) {
                remains = i;
            }
        }
        for (SegmentFile file : files.subList(0, remains)) {
            LOG.info("Deleting {}: a snapshot covers it, and its neighbour was purged before a crash", file.path());
            Files.delete(file.path());
        }
        return remains;
    }

    private void checkClosed(SegmentFile file) throws IOException {
        SegmentBytes bytes = read(file);
        requireHeader(file, bytes);
        int end = readRecords(file, bytes);
        if (bytes.written() > end) {
            throw new DamagedDataException(file.path(), end, "no valid record");
        }
        if (lastIndex != file.end()) {
            throw new DamagedDataException(file.path(), end, "ends with entry " + lastIndex);
        }
    }

    private void checkOpen(SegmentFile file) throws IOException {
        SegmentBytes bytes = read(file);
        if (bytes.isUnused()) {
            return;
        }
        requireHeader(file, bytes);
        int end = readRecords(file, bytes);
        if (bytes.written() > end) {
            Optional<String> damage = TornTail.damage(bytes, end, lastIndex);
            if (damage.isPresent()) {
                throw new DamagedDataException(file.path(), end, damage.get());
            }
            LOG.warn(
                    "Cutting off {} at byte {}: a crash came while entry {} was being written, before anyone could count on it",
                    file.path(),
                    end,
                    lastIndex + 1);
        }
        writeAgain(file, bytes, end);
    }

    private static SegmentBytes read(SegmentFile file) throws IOException {
        // Settings say 32 MiB, and a record less than 4; a file of another size is not from here.
        if (Files.size(file.path()) > RaftSettings.MAX_SEGMENT_FILE_BYTES) {
            throw new DamagedDataException(file.path(), -1, "too large for a log file");
        }
        return new SegmentBytes(Files.readAllBytes(file.path()));
    }

    private static void requireHeader(SegmentFile file, SegmentBytes bytes) throws DamagedDataException {
        if (!bytes.hasHeader()) {
            throw new DamagedDataException(file.path(), 0, "not the header of a log file");
        }
    }

    /** {@return the offset just past the last of the whole records that stand one after the other} */
    private int readRecords(SegmentFile file, SegmentBytes bytes) throws DamagedDataException {
        int at = SegmentBytes.headerLength();
        for (Optional<LogRecord> next = bytes.recordAt(at); next.isPresent(); next = bytes.recordAt(at)) {
            LogRecord record = next.get();
            if (record.index() != lastIndex + 1) {
                throw new DamagedDataException(
                        file.path(), at, "entry " + record.index() + " where entry " + (lastIndex + 1) + " is due");
            }
            if (record.term() < lastTerm) {
                throw new DamagedDataException(
                        file.path(), at, "entry of term " + record.term() + " after one of term " + lastTerm);
            }
            lastIndex = record.index();
            lastTerm = record.term();
            at = record.end();
        }
        return at;
    }

    /**
     * Writes the records of the open segment over themselves, and forces them to the disk. Ratis counts what it finds here as being on the disk; but if the process was killed before it forced them, or forcing failed, they may only be in the system's memory, where they pass for written.
     */
    private void writeAgain(SegmentFile file, SegmentBytes bytes, int end) throws IOException {
        try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
            channel.truncate(end);
            for (ByteBuffer records = bytes.upTo(end); records.hasRemaining(); ) {
                channel.write(records, records.position());
            }
            channel.force(true);
        }
        Folders.force(current);
    }
}
