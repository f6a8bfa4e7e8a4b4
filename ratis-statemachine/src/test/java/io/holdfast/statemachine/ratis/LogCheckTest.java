package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.LogFolder.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.ratis.LogFolder.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log files made by hand, whole, torn and damaged. */
class LogCheckTest {
    private static final int RESERVED = 4096;

    @TempDir
    Path current;

    private LogFolder log;

    @BeforeEach
    void log() {
        log = new LogFolder(current);
    }

    @Test
    void a_whole_log_is_left_as_it_is() throws IOException {
        byte[] closed = segment(1, 0, 10, 20).bytes();
        byte[] open = segment(2, 2, 30, 40, 3000).bytes();
        log.closed(0, 1, closed);
        Path tail = log.open(2, Arrays.copyOf(open, open.length + RESERVED));

        assertThat(LogCheck.check(current, -1)).isEqualTo(new LogCheck.Extent(0, 4, 2));
        assertThat(LogCheck.check(current, -1)).isEqualTo(new LogCheck.Extent(0, 4, 2));

        assertThat(tail).hasBinaryContent(open);
        assertThat(current.resolve("log_0-1")).hasBinaryContent(closed);
    }

    @Test
    void there_need_not_be_a_log() throws IOException {
        assertThat(LogCheck.check(current, -1)).isEqualTo(new LogCheck.Extent(0, -1, 0));
        assertThat(LogCheck.check(current, 99)).isEqualTo(new LogCheck.Extent(100, -1, 0));
    }

    @Test
    void what_a_crash_leaves_of_a_new_file_is_no_damage() throws IOException {
        log.closed(0, 1, segment(1, 0, 10, 20).bytes());
        for (int header = 0; header <= 8; header++) {
            log.open(2, Arrays.copyOf(Arrays.copyOf(LogFolder.HEADER, header), header + RESERVED));
            assertThat(LogCheck.check(current, -1).lastIndex()).isEqualTo(1);
            log.open(2, Arrays.copyOf(LogFolder.HEADER, header));
            assertThat(LogCheck.check(current, -1).lastIndex()).isEqualTo(1);
        }
    }

    @Test
    void the_last_record_may_be_cut_anywhere_by_the_end_of_the_file() throws IOException {
        Segment whole = segment(3, 0, 100, 200, 1500);
        for (int length = whole.lastRecord(); length < whole.end(); length++) {
            Path file = log.open(0, Arrays.copyOf(whole.bytes(), length));

            assertThat(LogCheck.check(current, -1).lastIndex()).isEqualTo(1);
            assertThat(file).hasBinaryContent(Arrays.copyOf(whole.bytes(), whole.lastRecord()));
        }
    }

    @Test
    void sectors_of_the_last_record_may_be_missing() throws IOException {
        Segment whole = segment(3, 0, 100, 200, 3000);
        for (int missing = 0; missing <= whole.end() / 512; missing++) {
            byte[] bytes = whole.withZeros(RESERVED);
            Arrays.fill(bytes, Math.max(missing * 512, whole.lastRecord()), (missing + 1) * 512, (byte) 0);
            Path file = log.open(0, bytes);

            assertThat(LogCheck.check(current, -1).lastIndex())
                    .as("sector %d", missing)
                    .isEqualTo(1);
            assertThat(file).hasBinaryContent(Arrays.copyOf(whole.bytes(), whole.lastRecord()));
        }
    }

    @Test
    void a_record_whose_size_field_is_cut_by_the_end_of_a_sector_may_be_torn() throws IOException {
        // The size of a record with 3000 bytes of data takes two bytes: one in each sector.
        Segment whole = segment(3, 0, sizeToEndAt(511, 8, 0), 3000);
        assertThat(whole.lastRecord()).isEqualTo(511);
        byte[] bytes = whole.withZeros(RESERVED);

        byte[] withoutSecond = bytes.clone();
        Arrays.fill(withoutSecond, 512, 1024, (byte) 0);
        log.open(0, withoutSecond);
        assertThat(LogCheck.check(current, -1).lastIndex()).isZero();

        byte[] withoutFirst = bytes.clone();
        withoutFirst[511] = 0;
        withoutFirst[1200] = 0;
        Arrays.fill(withoutFirst, 1024, 1536, (byte) 0);
        log.open(0, withoutFirst);
        assertThat(LogCheck.check(current, -1).lastIndex()).isZero();
    }

    @Test
    void one_changed_byte_anywhere_in_the_last_record_is_damage() throws IOException {
        everyByteOfTheLastRecordCounts(segment(3, 0, 100, 900));
    }

    /** A byte that is alone in its sector and becomes zero looks much like a sector that is missing. */
    @Test
    void one_changed_byte_is_damage_even_if_it_is_alone_in_its_sector() throws IOException {
        int first = sizeToEndAt(511, 8, 0);
        int second = sizeToEndAt(1537, 511, 1);

        everyByteOfTheLastRecordCounts(segment(3, 0, first, second));
    }

    /** A part that is zero, as it was written, makes a damaged record look torn. */
    @Test
    void one_changed_byte_is_damage_even_if_the_checksum_ends_with_a_zero_that_is_alone_in_its_sector()
            throws IOException {
        byte[] first = LogFolder.record(3, 0, new byte[] {1, 2, 3});
        int offset = LogFolder.HEADER.length + first.length;
        byte[] data = new byte[sizeToEndAt(1025, offset, 1)];
        Arrays.fill(data, (byte) 7);
        byte[] second = LogFolder.record(3, 1, data);
        for (int i = 1; second[second.length - 1] != 0; i++) {
            data[i % 100] += (byte) i;
            second = LogFolder.record(3, 1, data);
        }
        ByteBuffer bytes = ByteBuffer.allocate(offset + second.length + RESERVED);
        bytes.put(LogFolder.HEADER).put(first).put(second);
        assertThat(bytes.position() % 512).isEqualTo(1);
        for (int at = offset; at < offset + second.length - 1; at++) {
            byte[] changed = bytes.array().clone();
            changed[at] ^= 4;

            refused(log.open(0, changed), offset);
        }
    }

    /** Bytes of data of a record that begins and ends there. */
    private static int sizeToEndAt(int end, int offset, long index) {
        int guess = end - offset;
        return 2 * guess - LogFolder.record(3, index, new byte[guess]).length;
    }

    private void everyByteOfTheLastRecordCounts(Segment whole) throws IOException {
        for (int reserved : new int[] {0, RESERVED}) {
            for (int at = whole.lastRecord(); at < whole.end(); at++) {
                for (int change : new int[] {1, 0x80, 0xff, whole.bytes()[at]}) {
                    byte[] bytes = whole.withZeros(reserved);
                    bytes[at] ^= (byte) change;
                    Path file = log.open(0, bytes);

                    refused(file, whole.lastRecord());
                    assertThat(file).hasBinaryContent(bytes);
                }
            }
        }
    }

    @Test
    void a_last_record_with_several_changed_bytes_is_damaged_unless_a_sector_is_missing() throws IOException {
        Segment whole = segment(3, 0, 100, 1900);
        byte[] bytes = whole.withZeros(RESERVED);
        Arrays.fill(bytes, 600, 700, (byte) 7);
        refused(log.open(0, bytes), whole.lastRecord());

        Arrays.fill(bytes, 600, 1023, (byte) 0);
        refused(log.open(0, bytes), whole.lastRecord());
    }

    @Test
    void two_bad_records_at_the_end_are_damage() throws IOException {
        Segment whole = segment(3, 0, 100, 1900, 100);
        byte[] bytes = whole.withZeros(RESERVED);
        Arrays.fill(bytes, 512, 1024, (byte) 0);
        bytes[whole.end() - 1] ^= 1;

        refused(log.open(0, bytes), whole.offsets().get(1)).hasMessageContaining("something follows it");
    }

    @Test
    void one_changed_byte_anywhere_before_is_damage() throws IOException {
        Segment closed = segment(3, 0, 300);
        Segment open = segment(3, 1, 300, 301, 1);
        Path first = log.closed(0, 0, closed.bytes());
        Path second = log.open(1, open.withZeros(RESERVED));
        for (int at = 0; at < open.lastRecord(); at++) {
            byte[] bytes = open.withZeros(RESERVED);
            bytes[at] ^= 1;
            Files.write(second, bytes);
            refused(second, at < 8 ? 0 : open.offsets().get(at < open.offsets().get(1) ? 0 : 1));
        }
        Files.write(second, open.bytes());
        for (int at = 0; at < closed.end(); at++) {
            byte[] bytes = closed.bytes();
            bytes[at] ^= (byte) 0x80;
            Files.write(first, bytes);
            refused(first, at < 8 ? 0 : 8);
        }
    }

    @Test
    void a_missing_sector_in_the_middle_is_damage() throws IOException {
        Segment whole = segment(3, 0, 100, 2000, 100);
        byte[] bytes = whole.withZeros(RESERVED);
        Arrays.fill(bytes, 512, 1024, (byte) 0);

        refused(log.open(0, bytes), whole.offsets().get(1)).hasMessageContaining("entry 2 follows at byte");
    }

    @Test
    void a_closed_file_that_ends_too_early_is_damage() throws IOException {
        Segment whole = segment(3, 0, 100, 200, 1500);
        for (int end : new int[] {whole.end() - 1, whole.lastRecord() + 1, whole.lastRecord(), 8, 4, 0}) {
            Path file = log.closed(0, 2, Arrays.copyOf(whole.bytes(), end));

            assertThatThrownBy(() -> LogCheck.check(current, -1))
                    .as("%d bytes", end)
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    @Test
    void files_must_follow_each_other_without_a_gap() throws IOException {
        log.closed(0, 1, segment(1, 0, 10, 10).bytes());
        Path middle = log.closed(2, 3, segment(1, 2, 10, 10).bytes());
        Path open = log.open(4, segment(2, 4, 10).bytes());
        byte[] kept = Files.readAllBytes(middle);

        Files.delete(middle);
        refused(open, -1).hasMessageContaining("begins with entry 4 where entry 2 is due");
        Files.write(current.resolve("log_2-4"), segment(1, 2, 10, 10, 10).bytes());
        refused(open, -1).hasMessageContaining("begins with entry 4 where entry 5 is due");
        Files.delete(current.resolve("log_2-4"));
        Files.write(current.resolve("log_inprogress_2"), kept);
        refused(current.resolve("log_inprogress_2"), -1).hasMessageContaining("still open");
        Files.delete(current.resolve("log_inprogress_2"));
        Files.write(middle, segment(3, 2, 10, 10).bytes());
        refused(open, 8).hasMessageContaining("entry of term 2 after one of term 3");
        Files.delete(current.resolve("log_0-1"));
        refused(middle, -1).hasMessageContaining("begins with entry 2 where entry 0 is due");
    }

    @Test
    void a_file_with_a_wrong_name_is_damage() throws IOException {
        Path file = Files.write(
                current.resolve("log_inprogress_0.old"), segment(1, 0, 10).bytes());

        refused(file, -1).hasMessageContaining("no log file has such a name");
    }

    @Test
    void entries_of_other_indexes_than_the_name_says_are_damage() throws IOException {
        refused(log.open(0, segment(1, 3, 10).bytes()), 8).hasMessageContaining("entry 3 where entry 0 is due");
    }

    @Test
    void a_snapshot_stands_for_the_entries_up_to_its_index() throws IOException {
        Path file = log.open(10, segment(4, 10, 10, 10).bytes());

        assertThat(LogCheck.check(current, 9)).isEqualTo(new LogCheck.Extent(10, 11, 4));
        assertThat(LogCheck.check(current, 10)).isEqualTo(new LogCheck.Extent(10, 11, 4));
        assertThat(LogCheck.check(current, 50)).isEqualTo(new LogCheck.Extent(10, 11, 4));
        assertThatThrownBy(() -> LogCheck.check(current, 8))
                .hasMessageContaining(file.toString())
                .hasMessageContaining("begins with entry 10 where entry 9 is due");
    }

    @Test
    void what_a_crash_during_a_purge_leaves_is_deleted() throws IOException {
        Path remains = log.closed(0, 1, segment(1, 0, 10, 10).bytes());
        log.closed(4, 5, segment(1, 4, 10, 10).bytes());
        log.open(6, segment(2, 6, 10).bytes());

        assertThatThrownBy(() -> LogCheck.check(current, 2)).isInstanceOf(DamagedDataException.class);
        assertThat(remains).exists();
        assertThat(LogCheck.check(current, 3)).isEqualTo(new LogCheck.Extent(4, 6, 2));
        assertThat(remains).doesNotExist();
    }

    @Test
    void damage_is_told_with_the_file_and_the_command_that_helps() throws IOException {
        Segment whole = segment(3, 0, 100, 900);
        byte[] bytes = whole.bytes();
        bytes[whole.end() - 1] ^= 1;
        Path file = log.open(0, bytes);

        refused(file, whole.lastRecord())
                .hasMessage("Damaged data: " + file + " at byte " + whole.lastRecord()
                        + ": the last record does not match its checksum, and no part of it is missing."
                        + " This node must not start from it. If a majority of the others is well, let them give it"
                        + " their data: holdfast server --config FILE --rejoin");
    }

    private AbstractThrowableAssert<?, ?> refused(Path file, long offset) {
        return assertThatThrownBy(() -> LogCheck.check(current, -1))
                .isInstanceOfSatisfying(DamagedDataException.class, damage -> {
                    assertThat(damage.file()).isEqualTo(file);
                    assertThat(damage.offset()).as("offset: %s", damage).isEqualTo(offset);
                });
    }
}
