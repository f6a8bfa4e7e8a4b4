package io.holdfast.statemachine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.FencingToken;
import io.holdfast.core.Image;
import io.holdfast.core.ImageKey;
import io.holdfast.core.LockName;
import io.holdfast.core.SessionId;
import io.holdfast.snapshot.v1.EndedRecord;
import io.holdfast.snapshot.v1.EventRecord;
import io.holdfast.snapshot.v1.IdRecord;
import io.holdfast.snapshot.v1.StoreRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ImageCodecTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final Map<String, Image> SAMPLES = SampleImages.all();
    private static final Properties STORED = stored("/snapshot-format-1.properties", "/snapshot-level-2.properties");

    static List<String> names() {
        return List.copyOf(SAMPLES.keySet());
    }

    /** The files are never edited but for new lines: what they say lies on somebody's disk. */
    @ParameterizedTest
    @MethodSource("names")
    void what_was_written_by_any_version_is_read_for_ever(String name) {
        Image image = Objects.requireNonNull(SAMPLES.get(name));
        String written = HEX.formatHex(KeyCodec.encode(image.key())) + ":" + HEX.formatHex(ImageCodec.encode(image));
        assertThat(written).isEqualTo(STORED.getProperty(name));

        String[] stored = STORED.getProperty(name).split(":", -1);
        assertThat(ImageCodec.decode(HEX.parseHex(stored[0]), HEX.parseHex(stored[1])))
                .isEqualTo(image);
    }

    @Test
    void so_is_the_record_of_the_store() {
        byte[] stored = HEX.parseHex(STORED.getProperty("store"));

        assertThat(ImageCodec.decodeStore(stored)).isEqualTo(SampleImages.STORE);
        assertThat(ImageCodec.encode(SampleImages.STORE)).isEqualTo(stored);

        byte[] ofLevel2 = HEX.parseHex(STORED.getProperty("store-of-level-2"));
        assertThat(ImageCodec.decodeStore(ofLevel2)).isEqualTo(SampleImages.STORE_OF_LEVEL_2);
        assertThat(ImageCodec.encode(SampleImages.STORE_OF_LEVEL_2)).isEqualTo(ofLevel2);
    }

    @Test
    void every_stored_record_is_tried_and_every_kind_is_stored() {
        assertThat(STORED.stringPropertyNames())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(names().stream(), Stream.of("store", "store-of-level-2"))
                                .toList());
        assertThat(SAMPLES.values().stream()
                        .map(Image::key)
                        .map(ImageKey::getClass)
                        .collect(Collectors.toSet()))
                .hasSize(ImageKey.class.getPermittedSubclasses().length);
        assertThat(SAMPLES.values().stream().map(Image::getClass).collect(Collectors.toSet()))
                .hasSize(Image.class.getPermittedSubclasses().length);
    }

    @Test
    void the_order_of_bytes_is_the_order_of_restoring() {
        List<ImageKey> keys = List.of(
                new ImageKey.OfSession(new SessionId(0, 0)),
                new ImageKey.OfSession(new SessionId(0, -1)),
                new ImageKey.OfSession(new SessionId(-1, 0)),
                new ImageKey.OfLock(new LockName("a")),
                new ImageKey.OfHold(new LockName("a"), new FencingToken(255)),
                new ImageKey.OfHold(new LockName("a"), new FencingToken(256)),
                new ImageKey.OfLock(new LockName("a b")),
                new ImageKey.OfLock(new LockName("ab")),
                new ImageKey.OfDelay(new LockName("a")),
                new ImageKey.OfWaiter(new LockName("a"), 255),
                new ImageKey.OfWaiter(new LockName("a"), 256),
                new ImageKey.OfWaiter(new LockName("a b"), 1),
                new ImageKey.OfFinished(1),
                new ImageKey.OfFinished(Long.MAX_VALUE),
                new ImageKey.OfEnded(1),
                new ImageKey.OfEvent(1),
                new ImageKey.OfEvent(256));

        assertThat(keys.stream().map(KeyCodec::encode)).isSortedAccordingTo(Arrays::compareUnsigned);
        assertThat(Arrays.compareUnsigned(KeyCodec.store(), KeyCodec.encode(keys.getFirst())))
                .isNegative();
    }

    @Test
    void a_key_that_no_record_has_is_refused() {
        assertKeyRefused("", "without bytes");
        assertKeyRefused("01", "type 1");
        assertKeyRefused("08", "type 8");
        assertKeyRefused("0200", "2 bytes");
        assertKeyRefused("03", "name");
        assertKeyRefused("0361000000000000000000", "token");
        assertKeyRefused("03610000000000000001", "name");
        assertKeyRefused("03ff", "UTF-8");
        assertKeyRefused("04", "name");
        assertKeyRefused("0461010000000000000001", "name");
        assertKeyRefused("0461000000000000000000", "sequence");
        assertKeyRefused("050000000000000000", "ordinal");
    }

    @Test
    void a_hold_under_the_key_of_another_kind_of_hold_is_refused() {
        Image shared = Objects.requireNonNull(SAMPLES.get("lock-shared"));
        byte[] key = KeyCodec.encode(new ImageKey.OfLock(new LockName("orders/42")));

        assertThatThrownBy(() -> ImageCodec.decode(key, ImageCodec.encode(shared)))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("belongs under OfHold");
    }

    private static void assertKeyRefused(String key, String why) {
        assertThatThrownBy(() -> ImageCodec.decode(HEX.parseHex(key), new byte[0]))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(why);
    }

    @Test
    void a_field_or_an_end_that_is_not_known_is_refused() {
        EndedRecord ended = EndedRecord.newBuilder()
                .setSession(IdRecord.newBuilder().setLow(1))
                .setHowValue(2)
                .build();
        byte[] withMore = Arrays.copyOf(ended.toByteArray(), ended.getSerializedSize() + 2);
        withMore[withMore.length - 2] = 15 << 3; // field 15, a number: 0

        assertValueRefused(withMore, "EndedRecord has an unknown field 15");
        assertValueRefused(ended.toBuilder().setHowValue(99).build().toByteArray(), "unknown end");
        assertValueRefused("no protobuf".getBytes(StandardCharsets.UTF_8), "OfEnded[ordinal=1]");
    }

    @Test
    void a_store_of_a_feature_level_that_is_not_known_is_refused_and_both_levels_named() throws IOException {
        byte[] stored = HEX.parseHex(STORED.getProperty("store"));
        StoreRecord newer =
                StoreRecord.parseFrom(stored).toBuilder().setFeatureLevel(3).build();

        assertThatThrownBy(() -> ImageCodec.decodeStore(newer.toByteArray()))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("feature level 3")
                .hasMessageContaining("up to 2")
                .hasMessageContaining("newer version");
    }

    @Test
    void an_event_that_says_what_its_kind_does_not_is_refused() throws IOException {
        Image sample = Objects.requireNonNull(SAMPLES.get("event-queued"));
        EventRecord queued = EventRecord.parseFrom(ImageCodec.encode(sample));

        assertEventRefused(queued.toBuilder().setToken(1), "more");
        assertEventRefused(queued.toBuilder().setKindValue(12), "unknown event");
        assertEventRefused(queued.toBuilder().clearParty(), "no owner");
        assertEventRefused(queued.toBuilder().clearName(), "name");
    }

    private static void assertEventRefused(EventRecord.Builder event, String why) {
        byte[] value = event.build().toByteArray();
        assertThatThrownBy(() -> ImageCodec.decode(KeyCodec.event(1), value))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(why);
    }

    private static void assertValueRefused(byte[] value, String why) {
        assertThatThrownBy(() -> ImageCodec.decode(KeyCodec.ended(1), value))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(why);
    }

    private static Properties stored(String... resources) {
        Properties stored = new Properties();
        for (String resource : resources) {
            try (InputStream in = Objects.requireNonNull(ImageCodecTest.class.getResourceAsStream(resource));
                    InputStreamReader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
                stored.load(reader);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        return stored;
    }
}
