package io.holdfast.server.watch;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One watcher, as the hub knows it. Owned by the hub's thread. */
final class Watcher {
    final Filter filter;
    final Optional<Place> start;
    final long progressNanos;
    final Outlet outlet;

    /** Those who see the same; none until it has begun. */
    @Nullable
    Group group;

    /** Sequence of the next event to look at. Of one that is not behind the hub knows better. */
    long cursor;

    /** When it was last sent something, by the monotonic clock. */
    long sentAtNanos;

    /** Bytes of the last message, while it waits in the transport. */
    int waitingBytes;

    /** Whether it has left, or was cut off. */
    boolean isOver;

    /**
     * Creates one that has not begun.
     *
     * @param start the first place that it wants to hear of; empty for what happens from now on
     * @param progressNanos how long it may hear nothing before it is told how far all has been told, in ns
     */
    Watcher(Filter filter, Optional<Place> start, long progressNanos, Outlet outlet) {
        this.filter = filter;
        this.start = start;
        this.progressNanos = progressNanos;
        this.outlet = outlet;
    }
}
