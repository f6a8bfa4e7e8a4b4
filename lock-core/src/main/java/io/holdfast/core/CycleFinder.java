package io.holdfast.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the shortest way from a session that would wait for itself back to it. */
final class CycleFinder {
    /** Most edges to tell. */
    static final int MAX_EDGES = 100;

    /** A wait that is in the way, and of whom it is. */
    private record Place(
            Waiter waiter, @Nullable Place from, @Nullable WaitEdge edge) {}

    private final Function<Waiter, List<DeadlockSearch.Blocker>> blockers;
    private final Lease session;
    private final Deque<Place> open = new ArrayDeque<>();
    private final NavigableSet<Long> seen = new TreeSet<>();

    /**
     * Starts from a wait.
     *
     * @param blockers who is in the way of a wait
     */
    CycleFinder(Function<Waiter, List<DeadlockSearch.Blocker>> blockers, Lease session, Waiter asked) {
        this.blockers = blockers;
        this.session = session;
        open.add(new Place(asked, null, null));
    }

    /** {@return from the session to itself; empty if there is no way} */
    List<WaitEdge> cycle() {
        for (Place place = open.poll(); place != null; place = open.poll()) {
            for (DeadlockSearch.Blocker blocker : blockers.apply(place.waiter)) {
                WaitEdge edge = WaitEdge.of(place.waiter.lease, blocker.name(), blocker.lease(), blocker.isHolder());
                if (blocker.lease() == session) {
                    return way(place, edge);
                }
                for (Waiter next : blocker.lease().waits()) {
                    if (seen.add(next.sequence)) {
                        open.add(new Place(next, place, edge));
                    }
                }
            }
        }
        return List.of();
    }

    private static List<WaitEdge> way(Place end, WaitEdge last) {
        List<WaitEdge> edges = new ArrayList<>(List.of(last));
        for (Place place = end; place != null && place.edge != null; place = place.from) {
            edges.add(place.edge);
        }
        Collections.reverse(edges);
        return edges.subList(0, Math.min(MAX_EDGES, edges.size()));
    }
}
