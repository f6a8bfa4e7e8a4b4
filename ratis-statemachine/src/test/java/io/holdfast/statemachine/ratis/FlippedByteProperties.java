package io.holdfast.statemachine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class FlippedByteProperties {
    @Property
    void any_one_changed_byte_is_found(
            @ForAll @Size(min = 1, max = 3000) byte[] bytes,
            @ForAll @IntRange(max = 3000) int where,
            @ForAll @IntRange(min = 1, max = 255) int change) {
        int before = checksum(bytes);
        bytes[where % bytes.length] ^= (byte) change;

        assertThat(FlippedByte.explains(before ^ checksum(bytes), bytes.length)).isTrue();
    }

    @Property
    void a_changed_byte_of_the_checksum_is_found(
            @ForAll @IntRange(max = 3) int where, @ForAll @IntRange(min = 1, max = 255) int change) {
        assertThat(FlippedByte.explains(change << (8 * where), 100)).isTrue();
    }

    @Property
    void two_changed_bytes_are_not_taken_for_one(
            @ForAll @Size(min = 10, max = 100) byte[] bytes,
            @ForAll @IntRange(max = 8) int where,
            @ForAll @IntRange(min = 1, max = 255) int change,
            @ForAll @IntRange(min = 1, max = 255) int another) {
        int before = checksum(bytes);
        bytes[where] ^= (byte) change;
        bytes[bytes.length - 1] ^= (byte) another;

        assertThat(FlippedByte.explains(before ^ checksum(bytes), bytes.length)).isFalse();
    }

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
