package io.holdfast.statemachine.ratis;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;

/** Log files made by hand, as Ratis would have written them. */
final class LogFolder {
    static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);

    private final Path current;

    LogFolder(Path current) {
        this.current = current;
    }

    /** What a log file holds, without zeros at its end. */
    static final class Segment {
        private final byte[] bytes;
        private final List<Integer> offsets;

        Segment(byte[] bytes, List<Integer> offsets) {
            this.bytes = bytes;
            this.offsets = offsets;
        }

        byte[] bytes() {
            return bytes.clone();
        }

        /** Where the records begin. */
        List<Integer> offsets() {
            return offsets;
        }

        int end() {
            return bytes.length;
        }

        byte[] withZeros(int more) {
            return Arrays.copyOf(bytes, bytes.length + more);
        }

        int lastRecord() {
            return offsets.get(offsets.size() - 1);
        }
    }

    Path closed(long start, long end, byte[] bytes) throws IOException {
        return Files.write(current.resolve("log_" + start + "-" + end), bytes);
    }

    Path open(long start, byte[] bytes) throws IOException {
        return Files.write(current.resolve("log_inprogress_" + start), bytes);
    }

    /** Records of that term, with so many bytes of data each. */
    static Segment segment(long term, long start, int... dataSizes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(HEADER);
        List<Integer> offsets = new ArrayList<>();
        for (int i = 0; i < dataSizes.length; i++) {
            offsets.add(bytes.size());
            bytes.writeBytes(record(term, start + i, data(dataSizes[i], start + i)));
        }
        return new Segment(bytes.toByteArray(), offsets);
    }

    /** No zeros in it: they would look like what was never written. */
    private static byte[] data(int size, long seed) {
        byte[] data = new byte[size];
        for (int i = 0; i < size; i++) {
            data[i] = (byte) (1 + (seed * 31 + i * 7L) % 255);
        }
        return data;
    }

    static byte[] record(long term, long index, byte[] data) {
        byte[] entry = LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(data)))
                .build()
                .toByteArray();
        ByteBuffer record =
                ByteBuffer.allocate(CodedOutputStream.computeUInt32SizeNoTag(entry.length) + entry.length + 4);
        int left = entry.length;
        for (; left >= 0x80; left >>>= 7) {
            record.put((byte) ((left & 0x7f) | 0x80));
        }
        record.put((byte) left).put(entry);
        CRC32C crc = new CRC32C();
        crc.update(record.array(), 0, record.position());
        return record.putInt((int) crc.getValue()).array();
    }
}
