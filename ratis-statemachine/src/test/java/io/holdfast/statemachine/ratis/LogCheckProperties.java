package io.holdfast.statemachine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.ratis.LogFolder.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import org.apache.ratis.util.FileUtils;

/** Any log, torn or changed anywhere. */
class LogCheckProperties {
    private final Path folder;

    LogCheckProperties() throws IOException {
        folder = Files.createTempDirectory("log-check");
    }

    @AfterProperty
    void deleteFolder() throws IOException {
        FileUtils.deleteFully(folder);
    }

    /** What is written but not forced may be lost by the sector: the last record is never confirmed then. */
    @Property(tries = 2000)
    void however_the_tail_is_torn_the_whole_records_before_it_survive(
            @ForAll("sizes") List<Integer> sizes, @ForAll long lost, @ForAll boolean isReserved) throws IOException {
        Segment whole = segment(sizes);
        byte[] bytes = whole.withZeros(isReserved ? 8192 : 0);
        int sector = whole.lastRecord() / 512;
        boolean isTorn = false;
        for (int from = whole.lastRecord(); from < whole.end(); sector++, from = sector * 512) {
            if ((lost >>> (sector % 64) & 1) == 1) {
                Arrays.fill(bytes, from, Math.min((sector + 1) * 512, whole.end()), (byte) 0);
                isTorn = true;
            }
        }

        Path file = write(bytes);
        long last = survivors(file, bytes, sizes.size());

        if (last >= 0) {
            assertThat(last).isEqualTo(sizes.size() - (isTorn ? 2 : 1));
            assertThat(file).hasBinaryContent(Arrays.copyOf(whole.bytes(), isTorn ? whole.lastRecord() : whole.end()));
        } else {
            // A part of a byte or two may look like a changed byte; refusing is safe.
            assertThat(isTorn && hasShortPart(whole)).isTrue();
        }
    }

    private static boolean hasShortPart(Segment whole) {
        int inFirst = 512 - whole.lastRecord() % 512;
        int inLast = whole.end() % 512;
        return inFirst < 32 || inLast < 32;
    }

    @Property(tries = 2000)
    void wherever_the_file_ends_the_whole_records_before_survive(
            @ForAll("sizes") List<Integer> sizes, @ForAll @IntRange(max = 20_000) int end) throws IOException {
        Segment whole = segment(sizes);
        byte[] bytes = Arrays.copyOf(whole.bytes(), Math.min(end, whole.end()));
        Path file = write(bytes);

        long last = LogCheck.check(folder, -1).lastIndex();

        long expected =
                whole.offsets().stream().filter(at -> at <= bytes.length).count() - 1;
        boolean isAll = bytes.length == whole.end();
        assertThat(last).isEqualTo(Math.max(-1, isAll ? sizes.size() - 1 : expected - 1));
        if (last >= 0) {
            int kept = isAll ? whole.end() : whole.offsets().get((int) last + 1);
            assertThat(file).hasBinaryContent(Arrays.copyOf(whole.bytes(), kept));
        }
    }

    @Property(tries = 5000)
    void whichever_byte_is_changed_nothing_is_cut_off(
            @ForAll("sizes") List<Integer> sizes,
            @ForAll @IntRange(max = 1_000_000) int where,
            @ForAll @IntRange(min = 1, max = 255) int change,
            @ForAll boolean isZeroed,
            @ForAll boolean isReserved)
            throws IOException {
        Segment whole = segment(sizes);
        byte[] bytes = whole.withZeros(isReserved ? 8192 : 0);
        int at = where % whole.end();
        bytes[at] = isZeroed ? 0 : (byte) (bytes[at] ^ change);
        Path file = write(bytes);

        long last = survivors(file, bytes, sizes.size());

        assertThat(last).isIn(-1L, sizes.size() - 1L);
        if (last >= 0) {
            assertThat(file).hasBinaryContent(whole.bytes());
        }
    }

    /** Log index of the last entry that survives; −1 if the file was refused, and left as it was. */
    private long survivors(Path file, byte[] before, int records) throws IOException {
        try {
            long last = LogCheck.check(folder, -1).lastIndex();
            return records == 1 && last < 0 ? 0 : last;
        } catch (DamagedDataException e) {
            assertThat(file).hasBinaryContent(before);
            return -1;
        }
    }

    private static Segment segment(List<Integer> sizes) {
        return LogFolder.segment(1, 0, sizes.stream().mapToInt(it -> it).toArray());
    }

    private Path write(byte[] bytes) throws IOException {
        return new LogFolder(folder).open(0, bytes);
    }

    @Provide
    static Arbitrary<List<Integer>> sizes() {
        return Arbitraries.frequencyOf(
                        Tuple.of(6, Arbitraries.integers().between(0, 600)),
                        Tuple.of(1, Arbitraries.integers().between(600, 5000)))
                .list()
                .ofMinSize(2)
                .ofMaxSize(6);
    }
}
