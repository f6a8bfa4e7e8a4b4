package io.holdfast.server.watch;

import io.holdfast.core.Event;
import io.holdfast.core.LoggedEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last events that this node applied, a bounded number. Thread safe: the applying thread appends, the hub reads.
 *
 * <p>Appending costs no more than storing references: the applying thread waits for no watcher.
 */
final class EventRing {
    // All guarded by this object's monitor, which nobody outside of this package can see.
    private final @Nullable Frame[] frames;
    private long first;
    private long next;
    private long coveredAfter;
    private long appliedIndex;
    private int restarts;

    EventRing(int capacity) {
        frames = new Frame[capacity];
    }

    /**
     * What is in the ring.
     *
     * @param first sequence of the oldest event
     * @param next sequence that the next event will get
     * @param coveredAfter all events of entries after this log index are in it
     * @param appliedIndex the last log index applied
     * @param restarts how often it was begun anew
     */
    record Extent(long first, long next, long coveredAfter, long appliedIndex, int restarts) {}

    int capacity() {
        return frames.length;
    }

    synchronized Extent extent() {
        return new Extent(first, next, coveredAfter, appliedIndex, restarts);
    }

    /**
     * Forgets all: the state is another from now on, and what led to it was not told.
     *
     * @param covered all events of entries after this log index will be added
     * @param applied the log index at which the state is
     */
    synchronized void restart(long covered, long applied) {
        first = next;
        Arrays.fill(frames, null);
        coveredAfter = covered;
        appliedIndex = applied;
        restarts++;
    }

    /** An entry was applied. */
    synchronized void append(long logIndex, long leaseTimeNanos, List<Event> events) {
        int number = 0;
        for (Event event : events) {
            put(new Told(new Place(logIndex, number++), leaseTimeNanos, event));
        }
        appliedIndex = logIndex;
    }

    /**
     * Adds what came before the entry that is applied next.
     *
     * @param events all that came after what is here, the first of an entry first
     * @param applied the last log index applied
     */
    synchronized void fill(List<LoggedEvent> events, long applied) {
        Place last = new Place(0, 0);
        for (LoggedEvent event : events) {
            int number = event.logIndex() == last.logIndex() ? last.number() + 1 : 0;
            last = new Place(event.logIndex(), number);
            put(new Told(last, event.leaseTimeNanos(), event.event()));
        }
        appliedIndex = applied;
    }

    private void put(Told told) {
        if (next - first == frames.length) {
            coveredAfter = frame(first).told.place().logIndex();
            first++;
        }
        frames[slot(next)] = new Frame(next, told);
        next++;
    }

    /**
     * Reads on.
     *
     * @param from sequence of the first event wanted
     * @param to sequence of the first event not wanted
     * @param most most events to read
     * @return the events; null if the first is no longer there
     */
    synchronized @Nullable List<Frame> read(long from, long to, int most) {
        if (from < first) {
            return null;
        }
        int count = (int) Math.min(most, Math.min(to, next) - from);
        List<Frame> read = new ArrayList<>(Math.max(0, count));
        for (int i = 0; i < count; i++) {
            read.add(frame(from + i));
        }
        return read;
    }

    /** {@return the sequence of the first event that stands at this place or after it} */
    synchronized long sequenceOf(Place place) {
        long low = first;
        long high = next;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (frame(middle).told.place().compareTo(place) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private Frame frame(long sequence) {
        Frame frame = frames[slot(sequence)];
        if (frame == null) {
            throw new IllegalStateException("no event " + sequence + " in " + first + " to " + next);
        }
        return frame;
    }

    private int slot(long sequence) {
        return (int) (sequence % frames.length);
    }
}
