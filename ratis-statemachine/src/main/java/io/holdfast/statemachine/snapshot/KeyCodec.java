package io.holdfast.statemachine.snapshot;

import io.holdfast.core.FencingToken;
import io.holdfast.core.ImageKey;
import io.holdfast.core.LockName;
import io.holdfast.core.SessionId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Keys of records to bytes and back, as {@code holdfast/snapshot/v1/snapshot.proto} describes them. */
final class KeyCodec {
    private static final byte STORE = 1;
    private static final byte SESSION = 2;
    private static final byte LOCK = 3;
    private static final byte WAITER = 4;
    private static final byte FINISHED = 5;
    private static final byte ENDED = 6;
    private static final byte EVENT = 7;

    /** What follows a name: a byte 0, which no name has, and a number. */
    private static final int NUMBER_TAIL = 1 + Long.BYTES;

    private KeyCodec() {}

    /** {@return the key of the store as a whole, the first of all} */
    static byte[] store() {
        return new byte[] {STORE};
    }

    static byte[] encode(ImageKey key) {
        return switch (key) {
            case ImageKey.OfSession it ->
                start(SESSION, 2 * Long.BYTES)
                        .putLong(it.session().high())
                        .putLong(it.session().low())
                        .array();
            case ImageKey.OfLock it -> named(LOCK, it.name());
            case ImageKey.OfHold it -> numbered(LOCK, it.name(), it.token().value());
            case ImageKey.OfDelay it -> named(WAITER, it.name());
            case ImageKey.OfWaiter it -> numbered(WAITER, it.name(), it.sequence());
            case ImageKey.OfFinished it -> finished(it.ordinal());
            case ImageKey.OfEnded it -> ended(it.ordinal());
            case ImageKey.OfEvent it -> event(it.ordinal());
        };
    }

    static byte[] finished(long ordinal) {
        return start(FINISHED, Long.BYTES).putLong(ordinal).array();
    }

    static byte[] ended(long ordinal) {
        return start(ENDED, Long.BYTES).putLong(ordinal).array();
    }

    static byte[] event(long ordinal) {
        return start(EVENT, Long.BYTES).putLong(ordinal).array();
    }

    private static byte[] named(byte type, LockName of) {
        byte[] name = utf8(of);
        return start(type, name.length).put(name).array();
    }

    private static byte[] numbered(byte type, LockName of, long number) {
        byte[] name = utf8(of);
        return start(type, name.length + NUMBER_TAIL)
                .put(name)
                .put((byte) 0)
                .putLong(number)
                .array();
    }

    private static ByteBuffer start(byte type, int length) {
        return ByteBuffer.allocate(1 + length).put(type);
    }

    private static byte[] utf8(LockName name) {
        return name.value().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a key, but for that of the store.
     *
     * @throws CorruptRecordException if no record can have it
     */
    static ImageKey decode(byte[] key) {
        if (key.length == 0) {
            throw new CorruptRecordException("a key without bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(key);
        try {
            return switch (in.get()) {
                case SESSION -> {
                    requireLength(in, 2 * Long.BYTES);
                    yield new ImageKey.OfSession(new SessionId(in.getLong(), in.getLong()));
                }
                case LOCK ->
                    hasNumber(in)
                            ? new ImageKey.OfHold(nameBeforeNumber(in), new FencingToken(number(in)))
                            : new ImageKey.OfLock(name(in));
                case WAITER ->
                    hasNumber(in)
                            ? new ImageKey.OfWaiter(nameBeforeNumber(in), number(in))
                            : new ImageKey.OfDelay(name(in));
                case FINISHED -> new ImageKey.OfFinished(number(in));
                case ENDED -> new ImageKey.OfEnded(number(in));
                case EVENT -> new ImageKey.OfEvent(number(in));
                default -> throw new CorruptRecordException("a key of type " + key[0]);
            };
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException("a key of type " + key[0] + ": " + e.getMessage(), e);
        }
    }

    /** Whether a byte 0 stands where it does between a name and a number. */
    private static boolean hasNumber(ByteBuffer in) {
        int nameLength = in.remaining() - NUMBER_TAIL;
        return nameLength >= 0 && in.get(in.position() + nameLength) == 0;
    }

    /** Reads the name, and moves to the number behind it. */
    private static LockName nameBeforeNumber(ByteBuffer in) {
        int nameLength = in.remaining() - NUMBER_TAIL;
        LockName name = name(in.slice(in.position(), nameLength));
        in.position(in.position() + nameLength + 1);
        return name;
    }

    private static LockName name(ByteBuffer in) {
        try {
            // Strict: String's own decoder would put a replacement where the bytes are wrong.
            return new LockName(StandardCharsets.UTF_8.newDecoder().decode(in).toString());
        } catch (CharacterCodingException e) {
            throw new CorruptRecordException("the name in a key is not UTF-8", e);
        }
    }

    private static long number(ByteBuffer in) {
        requireLength(in, Long.BYTES);
        return in.getLong();
    }

    private static void requireLength(ByteBuffer in, int length) {
        if (in.remaining() != length) {
            throw new CorruptRecordException("a key of " + in.limit() + " bytes");
        }
    }
}
