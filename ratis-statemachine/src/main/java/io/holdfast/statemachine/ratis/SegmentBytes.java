package io.holdfast.statemachine.ratis;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The bytes of a log file, in the format that Ratis 3.3.0 writes: a header, then records without a gap, then zeros that it has reserved and not used yet.
 *
 * <p>Stricter than Ratis' own reader: a size field longer than needed, or an entry of no kind, is no record.
 */
final class SegmentBytes {
    static final int CHECKSUM_BYTES = 4;

    private static final byte[] HEADER = {'R', 'a', 'f', 't', 'L', 'o', 'g', '1'};
    private static final int MAX_SIZE_BYTES = 5;

    // Each entry begins with its term, which is never 0: field 1, a varint.
    private static final byte TERM_TAG = 8;

    private final byte[] bytes;

    // Just past the last byte that is not zero.
    private final int written;

    /** Keeps the array. */
    SegmentBytes(byte[] bytes) {
        this.bytes = bytes;
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        this.written = end;
    }

    int length() {
        return bytes.length;
    }

    int written() {
        return written;
    }

    ByteBuffer upTo(int end) {
        return ByteBuffer.wrap(bytes, 0, end);
    }

    static int headerLength() {
        return HEADER.length;
    }

    boolean hasHeader() {
        return bytes.length >= HEADER.length && Arrays.equals(bytes, 0, HEADER.length, HEADER, 0, HEADER.length);
    }

    /** Whether nothing stands here but a header, or the beginning of one: a crash may leave that. Ratis deletes such a file. */
    boolean isUnused() {
        return written <= HEADER.length && Arrays.equals(bytes, 0, written, HEADER, 0, written);
    }

    boolean isZero(int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** {@return the record at this offset, if a whole one is there} */
    Optional<LogRecord> recordAt(int offset) {
        OptionalInt end = endByItsSize(offset);
        if (end.isEmpty() || end.getAsInt() > bytes.length) {
            return Optional.empty();
        }
        int entry = offset + sizeBytes(offset);
        int checksum = end.getAsInt() - CHECKSUM_BYTES;
        if (bytes[entry] != TERM_TAG || syndrome(offset, checksum) != 0) {
            return Optional.empty();
        }
        return parse(offset, entry, checksum);
    }

    private Optional<LogRecord> parse(int offset, int entry, int checksum) {
        try {
            LogEntryProto logged = LogEntryProto.parseFrom(ByteBuffer.wrap(bytes, entry, checksum - entry));
            return logged.getLogEntryBodyCase() == LogEntryProto.LogEntryBodyCase.LOGENTRYBODY_NOT_SET
                    ? Optional.empty()
                    : Optional.of(
                            new LogRecord(offset, checksum + CHECKSUM_BYTES, logged.getTerm(), logged.getIndex()));
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    /** {@return where the record at this offset ends if its size field is right, be it past the end of the file; empty if no record has such a size} */
    OptionalInt endByItsSize(int offset) {
        int sizeBytes = sizeBytes(offset);
        if (sizeBytes == 0) {
            return OptionalInt.empty();
        }
        long size = 0;
        for (int i = 0; i < sizeBytes; i++) {
            size |= (bytes[offset + i] & 0x7fL) << (7 * i);
        }
        return size == 0 || size > RaftSettings.MAX_RECORD_BYTES
                ? OptionalInt.empty()
                : OptionalInt.of(offset + sizeBytes + (int) size + CHECKSUM_BYTES);
    }

    /** {@return length of the size field; 0 if there is none, it is longer than needed, or cut short} */
    private int sizeBytes(int offset) {
        for (int i = 0; i < MAX_SIZE_BYTES && offset + i < bytes.length; i++) {
            if (bytes[offset + i] >= 0) {
                return bytes[offset + i] == 0 ? 0 : i + 1;
            }
        }
        return 0;
    }

    /** Whether these bytes are the beginning of a size field and no more. */
    boolean isCutInItsSize(int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] >= 0) {
                return false;
            }
        }
        return to - from < MAX_SIZE_BYTES;
    }

    /** {@return the checksum of these bytes, xor the one that stands behind them: 0 if they are whole} */
    int syndrome(int from, int checksum) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, checksum - from);
        return (int) crc.getValue() ^ storedChecksum(checksum);
    }

    private int storedChecksum(int offset) {
        return (bytes[offset] & 0xff) << 24
                | (bytes[offset + 1] & 0xff) << 16
                | (bytes[offset + 2] & 0xff) << 8
                | (bytes[offset + 3] & 0xff);
    }

    /** {@return a whole record that begins after this offset and has a greater index} */
    Optional<LogRecord> laterRecord(int offset, long index) {
        for (int at = offset + 1; at < written; at++) {
            Optional<LogRecord> found = recordAt(at).filter(record -> record.index() > index);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Whether a record from this offset to the last byte written is whole but for its size field. */
    boolean isWholeButForItsSize(int offset) {
        // A checksum may end with zeros, so the record may end a little later.
        for (int end = written; end <= Math.min(written + CHECKSUM_BYTES, bytes.length); end++) {
            for (int sizeBytes = 1; sizeBytes <= MAX_SIZE_BYTES; sizeBytes++) {
                int size = end - offset - CHECKSUM_BYTES - sizeBytes;
                if (size > 0 && isWhole(offset, sizeField(size), sizeBytes, end)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isWhole(int offset, byte[] sizeField, int sizeBytes, int end) {
        if (sizeField.length != sizeBytes) {
            return false;
        }
        int entry = offset + sizeBytes;
        int checksum = end - CHECKSUM_BYTES;
        CRC32C crc = new CRC32C();
        crc.update(sizeField);
        crc.update(bytes, entry, checksum - entry);
        return (int) crc.getValue() == storedChecksum(checksum);
    }

    private static byte[] sizeField(int size) {
        byte[] field = new byte[MAX_SIZE_BYTES];
        int length = 0;
        for (int left = size; ; left >>>= 7) {
            field[length++] = (byte) (left < 0x80 ? left : (left & 0x7f) | 0x80);
            if (left < 0x80) {
                return Arrays.copyOf(field, length);
            }
        }
    }
}
