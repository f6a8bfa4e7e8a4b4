package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The latest events of the store, bounded in number and in bytes: so a name that nobody holds costs nothing in the end (invariant I7). Begins with feature level 2. */
final class EventRing {
    private static final int LEAST_ROOM = 16;

    /** Of those at the end that a digest takes in: of all of them it would cost more than of the locks. */
    private static final int IN_DIGEST = 1_024;

    private final int most;
    private final long mostBytes;

    /** An event lies at its ordinal modulo the length, which is a power of two. */
    private @Nullable LoggedEvent[] ring = new LoggedEvent[LEAST_ROOM];

    private long firstOrdinal;
    private long lastOrdinal;
    private long bytes;

    /** Of entries up to here, and lease times up to there, some may be forgotten. */
    private long forgottenUpToIndex;

    private long forgottenUpToNanos;

    /** What the last snapshot has. */
    private long savedUpTo;

    EventRing(int most, long mostBytes, StoreImage.Events image) {
        this.most = most;
        this.mostBytes = mostBytes;
        this.lastOrdinal = image.lastOrdinal();
        this.firstOrdinal = lastOrdinal + 1;
        this.savedUpTo = lastOrdinal;
        this.forgottenUpToIndex = image.forgottenUpToIndex();
        this.forgottenUpToNanos = image.forgottenUpToNanos();
    }

    /** Events up to here were not kept. */
    void beginAfter(long logIndex, long leaseTimeNanos) {
        forgottenUpToIndex = Math.max(forgottenUpToIndex, logIndex);
        forgottenUpToNanos = Math.max(forgottenUpToNanos, leaseTimeNanos);
    }

    void add(long logIndex, long leaseTimeNanos, Event event) {
        LoggedEvent added = new LoggedEvent(lastOrdinal + 1, logIndex, leaseTimeNanos, event);
        int size = added.size();
        while (count() > 0 && (count() >= most || bytes + size > mostBytes)) {
            forgetFirst();
        }
        put(added);
    }

    private void put(LoggedEvent added) {
        if (count() == ring.length) {
            grow();
        }
        lastOrdinal++;
        ring[slot(lastOrdinal)] = added;
        bytes += added.size();
    }

    private void grow() {
        LoggedEvent[] larger = new LoggedEvent[2 * ring.length];
        LongStream.rangeClosed(firstOrdinal, lastOrdinal)
                .forEach(ordinal -> larger[(int) (ordinal & (larger.length - 1))] = at(ordinal));
        ring = larger;
    }

    private void forgetFirst() {
        LoggedEvent gone = at(firstOrdinal);
        ring[slot(firstOrdinal)] = null;
        firstOrdinal++;
        bytes -= gone.size();
        beginAfter(gone.logIndex(), gone.leaseTimeNanos());
    }

    private int slot(long ordinal) {
        return (int) (ordinal & (ring.length - 1));
    }

    private LoggedEvent at(long ordinal) {
        return Objects.requireNonNull(ring[slot(ordinal)]);
    }

    int count() {
        return (int) (lastOrdinal - firstOrdinal + 1);
    }

    // ---- looking

    long nextOrdinal() {
        return lastOrdinal + 1;
    }

    /** All events of entries from this log index on are there. */
    long firstIndex() {
        return forgottenUpToIndex + 1;
    }

    boolean reachesIndex(long logIndex) {
        return logIndex >= forgottenUpToIndex;
    }

    boolean reachesTime(long leaseTimeNanos) {
        return leaseTimeNanos >= forgottenUpToNanos;
    }

    /** The ordinal of the first event of an entry after this log index. Costs O(log n). */
    long firstAfterIndex(long logIndex) {
        long low = firstOrdinal;
        long high = lastOrdinal + 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (at(middle).logIndex() <= logIndex) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    EventsAfter after(long logIndex, int atMost) {
        return reachesIndex(logIndex) ? from(firstAfterIndex(logIndex), atMost) : new EventsAfter.TooOld(firstIndex());
    }

    EventsAfter from(long ordinal, int atMost) {
        if (ordinal < firstOrdinal) {
            return new EventsAfter.TooOld(firstIndex());
        }
        long end = Math.max(ordinal, Math.min(lastOrdinal + 1, ordinal + atMost));
        List<LoggedEvent> events = new ArrayList<>((int) (end - ordinal));
        for (long i = ordinal; i < end; i++) {
            events.add(at(i));
        }
        return new EventsAfter.Some(events, end);
    }

    /** From an ordinal that is there, or from the next to come, on; oldest first. */
    Stream<LoggedEvent> stream(long ordinal) {
        return LongStream.rangeClosed(ordinal, lastOrdinal).mapToObj(this::at);
    }

    /** Latest first. */
    Stream<LoggedEvent> backwards() {
        return LongStream.rangeClosed(firstOrdinal, lastOrdinal)
                .map(i -> firstOrdinal + lastOrdinal - i)
                .mapToObj(this::at);
    }

    /** Not since when it is whole: that tells at which index the store was raised. */
    void addTo(Digest digest) {
        digest.add(lastOrdinal).add(bytes);
        stream(Math.max(firstOrdinal, lastOrdinal - IN_DIGEST)).forEach(digest::add);
    }

    // ---- for snapshots

    StoreImage.Events image() {
        return new StoreImage.Events(lastOrdinal, forgottenUpToIndex, forgottenUpToNanos);
    }

    /** All below are forgotten. */
    long firstOrdinal() {
        return firstOrdinal;
    }

    Stream<Image> images() {
        return stream(firstOrdinal).map(Image.OfEvent::new);
    }

    /** How many records the next snapshot will write. */
    int changeCount() {
        return (int) (lastOrdinal - firstUnsaved() + 1);
    }

    private long firstUnsaved() {
        return Math.max(firstOrdinal, savedUpTo + 1);
    }

    /** Adds what the last snapshot lacks. It counts as saved from now on. */
    void take(List<Image> present) {
        stream(firstUnsaved()).map(Image.OfEvent::new).forEach(present::add);
        savedUpTo = lastOrdinal;
    }

    /**
     * Adds what a snapshot has, oldest first, up to the last that it says there is.
     *
     * @throws IllegalArgumentException if it does not follow the one added before
     */
    void restore(LoggedEvent event) {
        if (count() == 0) {
            if (event.ordinal() > savedUpTo) {
                throw new IllegalArgumentException("the last ordinal is " + savedUpTo);
            }
            firstOrdinal = event.ordinal();
            lastOrdinal = firstOrdinal - 1;
        } else {
            LoggedEvent before = at(lastOrdinal);
            if (event.logIndex() < before.logIndex() || event.leaseTimeNanos() < before.leaseTimeNanos()) {
                throw new IllegalArgumentException("it comes after one that was later");
            }
        }
        if (event.ordinal() != lastOrdinal + 1 || event.ordinal() > savedUpTo) {
            throw new IllegalArgumentException("ordinal " + event.ordinal() + " after " + lastOrdinal);
        }
        put(event);
    }

    /** Whether all are there that the snapshot says there are. */
    boolean isComplete() {
        return lastOrdinal == savedUpTo;
    }
}
