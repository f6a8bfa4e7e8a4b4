package io.holdfast.statemachine.snapshot;

import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.core.Image;
import io.holdfast.core.ImageKey;
import io.holdfast.core.StoreImage;
import io.holdfast.snapshot.v1.DelayRecord;
import io.holdfast.snapshot.v1.EndedRecord;
import io.holdfast.snapshot.v1.EventRecord;
import io.holdfast.snapshot.v1.FinishedRecord;
import io.holdfast.snapshot.v1.LockRecord;
import io.holdfast.snapshot.v1.SessionRecord;
import io.holdfast.snapshot.v1.StoreRecord;
import io.holdfast.snapshot.v1.WaiterRecord;

/**
 * Records of the state to bytes and back, as {@code holdfast/snapshot/v1/snapshot.proto} describes them. {@link KeyCodec} does their keys.
 *
 * <p>Decoding is strict: whatever it does not fully understand it refuses. What the core's constructors refuse is refused as damage, so bounds may be widened later, but not narrowed.
 */
final class ImageCodec {
    private ImageCodec() {}

    static byte[] encode(StoreImage store) {
        return ImageWriter.store(store).toByteArray();
    }

    static byte[] encode(Image image) {
        return switch (image) {
            case Image.OfSession it -> ImageWriter.session(it).toByteArray();
            case Image.OfLock it -> ImageWriter.lock(it).toByteArray();
            case Image.OfWaiter it -> ImageWriter.waiter(it).toByteArray();
            case Image.OfDelay it -> ImageWriter.delay(it).toByteArray();
            case Image.OfFinished it -> ImageWriter.finished(it).toByteArray();
            case Image.OfEnded it -> ImageWriter.ended(it).toByteArray();
            case Image.OfEvent it -> EventWriter.write(it.event()).toByteArray();
        };
    }

    /**
     * Reads the record of the store as a whole.
     *
     * @throws CorruptRecordException if it is not one
     */
    static StoreImage decodeStore(byte[] value) {
        try {
            return ImageReader.store(StoreRecord.parseFrom(value));
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new CorruptRecordException("the store: " + e.getMessage(), e);
        }
    }

    /**
     * Reads any other record.
     *
     * @throws CorruptRecordException if it is not one
     */
    static Image decode(byte[] key, byte[] value) {
        ImageKey of = KeyCodec.decode(key);
        try {
            return switch (of) {
                case ImageKey.OfSession it -> ImageReader.session(it, SessionRecord.parseFrom(value));
                case ImageKey.OfLock it -> ImageReader.lock(it, it.name(), LockRecord.parseFrom(value));
                case ImageKey.OfHold it -> ImageReader.lock(it, it.name(), LockRecord.parseFrom(value));
                case ImageKey.OfWaiter it -> ImageReader.waiter(it, WaiterRecord.parseFrom(value));
                case ImageKey.OfDelay it -> ImageReader.delay(it, DelayRecord.parseFrom(value));
                case ImageKey.OfFinished it -> ImageReader.finished(it, FinishedRecord.parseFrom(value));
                case ImageKey.OfEnded it -> ImageReader.ended(it, EndedRecord.parseFrom(value));
                case ImageKey.OfEvent it ->
                    new Image.OfEvent(EventReader.read(it.ordinal(), EventRecord.parseFrom(value)));
            };
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new CorruptRecordException(of + ": " + e.getMessage(), e);
        }
    }
}
