package io.holdfast.statemachine.ratis;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Tells what a crash leaves behind at the end of a log from what was written once and changed since.
 *
 * <p>A record counts, towards other nodes too, only after it was forced to the disk. When the power fails before, any sectors of it may be missing: there the zeros stand that were reserved before, or the file ends. So a torn record lacks a whole sector's part, and nothing follows it. A record that lacks nothing is damaged, whatever else is wrong with it.
 */
final class TornTail {
    private static final int SECTOR = 512;

    // Where a record lacks at least so many bytes in a row, they were not just zeros: an entry has no such run.
    private static final int CERTAIN = 32;

    private TornTail() {}

    /**
     * Looks at the end of the open segment, where no whole record is.
     *
     * @param segment the file's bytes, with some that are not zero at or after the offset
     * @param offset just past the last whole record
     * @param lastIndex log index of that record
     * @return what is wrong; empty if a crash in the middle of writing explains it
     */
    static Optional<String> damage(SegmentBytes segment, int offset, long lastIndex) {
        Optional<LogRecord> later = segment.laterRecord(offset, lastIndex);
        if (later.isPresent()) {
            return Optional.of("no valid record, though entry " + later.get().index() + " follows at byte "
                    + later.get().offset());
        }
        if (segment.isWholeButForItsSize(offset)) {
            return Optional.of("the size of the last record is wrong, the rest of it is whole");
        }
        OptionalInt end = segment.endByItsSize(offset);
        return end.isPresent() ? damageWithin(segment, offset, end.getAsInt()) : damageWithoutSize(segment, offset);
    }

    private static Optional<String> damageWithin(SegmentBytes segment, int offset, int end) {
        if (segment.written() > end) {
            return Optional.of("the record does not match its checksum, and something follows it");
        }
        if (end > segment.length()) {
            return Optional.empty();
        }
        int lacking = longestLack(segment, offset, end);
        if (lacking >= CERTAIN) {
            return Optional.empty();
        }
        int checksum = end - SegmentBytes.CHECKSUM_BYTES;
        if (lacking == 0 || FlippedByte.explains(segment.syndrome(offset, checksum), checksum - offset)) {
            return Optional.of("the last record does not match its checksum, and no part of it is missing");
        }
        return Optional.empty();
    }

    private static Optional<String> damageWithoutSize(SegmentBytes segment, int offset) {
        int sectorEnd = Math.min(nextSector(offset), segment.length());
        if (segment.isZero(offset, sectorEnd)) {
            return Optional.empty(); // it was in the part that is missing
        }
        int next = Math.min(sectorEnd + SECTOR, segment.length());
        return segment.isCutInItsSize(offset, sectorEnd) && segment.isZero(sectorEnd, next)
                ? Optional.empty()
                : Optional.of("no record has such a size");
    }

    /** {@return number of bytes in the longest part of the record that lies in one sector and is all zeros} */
    private static int longestLack(SegmentBytes segment, int offset, int end) {
        int longest = 0;
        for (int from = offset; from < end; from = nextSector(from)) {
            int to = Math.min(nextSector(from), end);
            if (segment.isZero(from, to)) {
                longest = Math.max(longest, to - from);
            }
        }
        return longest;
    }

    private static int nextSector(int offset) {
        return (offset / SECTOR + 1) * SECTOR;
    }
}
