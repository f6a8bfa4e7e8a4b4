package io.holdfast.server.watch;

import java.util.Comparator;

/**
 * A place among the events: the same on all nodes.
 *
 * @param logIndex the log index of the entry
 * @param number which of the entry's events, from 0
 */
public record Place(long logIndex, int number) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
            Comparator.comparingLong(Place::logIndex).thenComparingInt(Place::number);

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }
}
