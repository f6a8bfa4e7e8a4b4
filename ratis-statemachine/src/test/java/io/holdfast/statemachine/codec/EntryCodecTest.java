package io.holdfast.statemachine.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.holdfast.core.Command;
import io.holdfast.core.SessionId;
import io.holdfast.log.v1.BodyRecord;
import io.holdfast.log.v1.CommandRecord;
import io.holdfast.log.v1.EntryRecord;
import io.holdfast.log.v1.OwnerRecord;
import io.holdfast.log.v1.RaiseFeatureLevelRecord;
import io.holdfast.log.v1.ReleaseRecord;
import io.holdfast.log.v1.RenewSessionsRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EntryCodecTest {
    private static final Map<String, Entry> SAMPLES = SampleEntries.all();
    private static final Properties STORED = stored("/log-format-1.properties", "/log-format-2.properties");

    static List<String> names() {
        return List.copyOf(SAMPLES.keySet());
    }

    /** The files are never edited but for new lines: what they say lies on somebody's disk. */
    @ParameterizedTest
    @MethodSource("names")
    void what_was_written_by_any_version_is_read_for_ever(String name) {
        byte[] bytes = HexFormat.of().parseHex(STORED.getProperty(name, ""));

        assertThat(EntryCodec.decode(bytes)).isEqualTo(sample(name));
        assertThat(EntryCodec.encode(sample(name))).asHexString().isEqualToIgnoringCase(STORED.getProperty(name));
    }

    @Test
    void every_stored_entry_is_tried_and_every_kind_of_command_is_stored() {
        assertThat(STORED.stringPropertyNames()).containsExactlyInAnyOrderElementsOf(names());
        assertThat(SampleEntries.all().values().stream()
                        .flatMap(entry -> entry.commands().stream())
                        .map(Command::getClass)
                        .collect(Collectors.toSet()))
                .hasSize(CommandRecord.getDescriptor().getFields().size());
    }

    @Test
    void a_newer_format_is_refused_and_both_versions_named() {
        byte[] newer = EntryCodec.envelope(3, ByteString.copyFromUtf8("whatever that may be"));

        assertThatThrownBy(() -> EntryCodec.decode(newer))
                .isInstanceOf(UnsupportedFormatException.class)
                .hasMessageContaining("log format 3")
                .hasMessageContaining("up to 2");
    }

    @Test
    void a_feature_level_that_is_not_known_is_neither_written_nor_read_and_both_levels_named() {
        Entry entry = new Entry(1, 2, List.of(new Command.RaiseFeatureLevel(3)));

        assertThatThrownBy(() -> EntryCodec.encode(entry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("feature level 3")
                .hasMessageContaining("up to 2");
        assertThatThrownBy(() -> EntryCodec.decode(body(2, raise(3))))
                .isInstanceOf(UnsupportedFormatException.class)
                .hasMessageContaining("feature level 3")
                .hasMessageContaining("up to 2")
                .hasMessageContaining("newer version");
    }

    @ParameterizedTest
    @MethodSource("names")
    void an_entry_is_written_in_the_lowest_format_that_can_carry_it(String name) throws IOException {
        EntryRecord written = EntryRecord.parseFrom(EntryCodec.encode(sample(name)));

        assertThat(written.getFormat()).isEqualTo(name.startsWith("2-") ? 2 : 1);
    }

    @Test
    void what_a_format_has_no_field_for_is_damage_in_it() {
        assertCorrupt(body(1, raise(2)), "log format 1 cannot say this RAISE_FEATURE_LEVEL");
        assertThat(EntryCodec.decode(body(2, raise(2))).commands()).containsExactly(new Command.RaiseFeatureLevel(2));
    }

    private static CommandRecord raise(int level) {
        return CommandRecord.newBuilder()
                .setRaiseFeatureLevel(RaiseFeatureLevelRecord.newBuilder().setLevel(level))
                .build();
    }

    @Test
    void what_is_no_entry_is_refused() {
        assertCorrupt(new byte[0], "checksum");
        assertCorrupt("GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII), "not an entry");
        assertCorrupt(EntryCodec.envelope(0, ByteString.EMPTY), "no log format 0");
    }

    @ParameterizedTest
    @MethodSource("names")
    void each_flipped_bit_is_noticed(String name) {
        byte[] bytes = EntryCodec.encode(sample(name));

        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertCorrupt(flipped, "");
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void an_entry_that_was_cut_off_is_noticed(String name) {
        byte[] bytes = EntryCodec.encode(sample(name));

        for (int length = 0; length < bytes.length; length++) {
            assertCorrupt(Arrays.copyOf(bytes, length), "");
        }
    }

    @Test
    void an_entry_with_something_behind_it_is_refused() {
        byte[] bytes = EntryCodec.encode(sample("acquire"));
        byte[] longer = ByteBuffer.allocate(bytes.length + 2)
                .put(bytes)
                .put((byte) 0x20) // field 4, varint
                .put((byte) 1)
                .array();

        assertCorrupt(longer, "EntryRecord has an unknown field 4");
    }

    @Test
    void a_command_of_an_unknown_kind_is_refused_not_left_out() throws IOException {
        CommandRecord unknown = CommandRecord.parseFrom(new byte[] {(byte) 0x82, 1, 0}); // field 16, empty message

        assertCorrupt(body(unknown), "CommandRecord has an unknown field 16");
        assertCorrupt(body(CommandRecord.getDefaultInstance()), "a command of no kind");
    }

    @Test
    void what_no_door_lets_through_is_refused_in_the_log_too() {
        assertCorrupt(
                body(CommandRecord.newBuilder()
                        .setRelease(ReleaseRecord.newBuilder()
                                .setName("a\nb")
                                .setOwner(OwnerRecord.newBuilder().setOneShot("me")))
                        .build()),
                "command 0: name is");
        assertCorrupt(
                body(CommandRecord.newBuilder()
                        .setRelease(ReleaseRecord.newBuilder().setName("a"))
                        .build()),
                "no owner");
        assertCorrupt(
                body(CommandRecord.newBuilder()
                        .setRenewSessions(
                                RenewSessionsRecord.newBuilder().setSessions(ByteString.copyFrom(new byte[17])))
                        .build()),
                "session ids of 17 bytes");
        assertCorrupt(
                EntryCodec.envelope(
                        1, BodyRecord.newBuilder().setLeaseTimeNanos(-1).build().toByteString()),
                "lease time -1");
    }

    @Test
    void a_buffer_is_read_from_position_to_limit_and_not_moved() {
        Entry entry = sample("several");
        byte[] bytes = EntryCodec.encode(entry);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 7);
        direct.position(3).put(bytes).limit(3 + bytes.length).position(3);

        assertThat(EntryCodec.decode(direct)).isEqualTo(entry);
        assertThat(EntryCodec.decode(direct.asReadOnlyBuffer())).isEqualTo(entry);
        assertThat(direct.position()).isEqualTo(3);
    }

    @Test
    void a_thousand_renewals_take_sixteen_bytes_each() {
        List<SessionId> sessions =
                LongStream.range(0, 1000).mapToObj(i -> new SessionId(-i, i)).toList();

        assertThat(EntryCodec.sizeOf(new Command.RenewSessions(sessions))).isBetween(16_000, 16_016);
    }

    private static Entry sample(String name) {
        return Objects.requireNonNull(SAMPLES.get(name));
    }

    private static byte[] body(CommandRecord command) {
        return body(1, command);
    }

    private static byte[] body(int format, CommandRecord command) {
        return EntryCodec.envelope(
                format, BodyRecord.newBuilder().addCommands(command).build().toByteString());
    }

    private static void assertCorrupt(byte[] bytes, String what) {
        assertThatThrownBy(() -> EntryCodec.decode(bytes))
                .isInstanceOf(CorruptEntryException.class)
                .hasMessageContaining(what);
    }

    private static Properties stored(String... resources) {
        Properties properties = new Properties();
        for (String resource : resources) {
            try (InputStream in = Objects.requireNonNull(EntryCodecTest.class.getResourceAsStream(resource))) {
                properties.load(new InputStreamReader(in, StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        return properties;
    }
}
