package io.holdfast.server.watch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages, and makes them once for all watchers that see the same from the same place on. Owned by the hub's thread.
 */
final class Batches {
    private static final int SCAN = 512;
    private static final int MAX_SHARED = 256;
    private static final byte[] NOTHING = {};
    private static final long NO_ROUND = -1;

    private record Key(Filter filter, long cursor, int maxBytes) {}

    private final EventRing ring;
    private final Encoder encoder;
    private final Map<Key, Batch> shared = new LinkedHashMap<>();

    // The round: what is fresh begins here, as long as it lasts, and ends there; and how far all has been told at its
    // end.
    private long freshFrom = NO_ROUND;
    private long end;
    private long completeAtEnd;

    Batches(EventRing ring, Encoder encoder) {
        this.ring = ring;
        this.encoder = encoder;
    }

    /** Goes on to what is there now. Messages of earlier rounds stay true. */
    void beginRound(long from, long to, long completeTo) {
        freshFrom = from;
        end = to;
        completeAtEnd = completeTo;
    }

    /** From now on groups do not say any more what is fresh for them. */
    void endRound() {
        freshFrom = NO_ROUND;
    }

    /**
     * The next message of a watcher.
     *
     * @param cursor sequence of the next event that it is to look at, before the round's end
     * @param maxBytes most bytes of events in a message of more than one
     * @return the message; null if that event is no longer kept
     */
    @Nullable
    Batch next(Group group, long cursor, int maxBytes) {
        Key key = new Key(group.filter, cursor, maxBytes);
        Batch known = shared.get(key);
        if (known != null) {
            return known;
        }
        Batch made = cursor == freshFrom ? fresh(group, maxBytes) : scan(group.filter, cursor, maxBytes);
        if (made != null && group.members.size() > 1) {
            share(key, made);
        }
        return made;
    }

    private void share(Key key, Batch batch) {
        if (shared.size() >= MAX_SHARED) {
            shared.remove(shared.keySet().iterator().next());
        }
        shared.put(key, batch);
    }

    private Batch fresh(Group group, int maxBytes) {
        Writing writing = new Writing(maxBytes);
        for (Frame frame : group.fresh) {
            if (!writing.add(frame)) {
                return writing.upTo(frame);
            }
        }
        return writing.upToEnd();
    }

    private @Nullable Batch scan(Filter filter, long cursor, int maxBytes) {
        Writing writing = new Writing(maxBytes);
        for (long from = cursor; from < end; ) {
            List<Frame> frames = ring.read(from, end, SCAN);
            if (frames == null) {
                return null;
            }
            for (Frame frame : frames) {
                if (filter.shows(frame.told.event()) && !writing.add(frame)) {
                    return writing.upTo(frame);
                }
            }
            from += frames.size();
        }
        return writing.upToEnd();
    }

    /** A message in the making. */
    private final class Writing {
        private final List<byte[]> parts = new ArrayList<>();
        private final int most;
        private int bytes;

        Writing(int most) {
            this.most = most;
        }

        /** Takes an event in, or says that the message is full. */
        boolean add(Frame frame) {
            byte[] part = frame.bytes(encoder);
            if (bytes > 0 && bytes + part.length > most) {
                return false;
            }
            parts.add(part);
            bytes += part.length;
            return true;
        }

        /** Ends it before an event: what stands before that event's entry has all been told. */
        Batch upTo(Frame next) {
            return new Batch(message(next.told.place().logIndex() - 1), next.sequence);
        }

        Batch upToEnd() {
            return new Batch(parts.isEmpty() ? NOTHING : message(completeAtEnd), end);
        }

        private byte[] message(long completeTo) {
            byte[] head = encoder.head(completeTo);
            byte[] message = new byte[head.length + bytes];
            System.arraycopy(head, 0, message, 0, head.length);
            int at = head.length;
            for (byte[] part : parts) {
                System.arraycopy(part, 0, message, at, part.length);
                at += part.length;
            }
            return message;
        }
    }
}
