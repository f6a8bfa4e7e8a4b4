package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds out, before a session waits, whether it would wait for itself.
 *
 * <p>A session is taken for one actor: while it waits it gives nothing back. A one-shot owner that holds is no such actor, since two processes may have been given one name, and one that only waits holds nothing; but it may stand between others in a queue.
 */
final class Deadlocks {
    private final State state;

    /** Numbers the searches. No part of the state: it only tells marks of one from those of another. */
    private long searches;

    Deadlocks(State state) {
        this.state = state;
    }

    /**
     * What the session would wait for, if that is itself in the end.
     *
     * @return from the session to itself; empty if it would not wait for itself, or if that took too many steps to tell
     */
    List<WaitEdge> cycle(Lease.OfSession session, List<Want> wants) {
        if (!canBeWaitedFor(session)) {
            return List.of();
        }
        return new DeadlockSearch(++searches, state, session, wants).cycle();
    }

    /** Mostly nobody waits for anything that the session has. */
    private boolean canBeWaitedFor(Lease.OfSession session) {
        if (!session.waits().isEmpty()) {
            return true;
        }
        int looked = 0;
        for (Hold hold : session.holds()) {
            Lock lock = state.lock(hold.name);
            if (++looked > DeadlockSearch.MAX_STEPS || (lock != null && !lock.queue.isEmpty())) {
                return true;
            }
        }
        return false;
    }

    /** Who waits for whom, of all. */
    WaitGraph graph(int most) {
        List<WaitEdge> edges = new ArrayList<>();
        for (Lock lock : state.locks.values()) {
            Lease ahead = null;
            for (Waiter waiter : lock.queue.all()) {
                if (ahead != null) {
                    edges.add(WaitEdge.of(waiter.lease, lock.name, ahead, false));
                } else {
                    lock.holders.all().stream()
                            .limit(1L + most)
                            .forEach(hold -> edges.add(WaitEdge.of(waiter.lease, lock.name, hold.lease, true)));
                }
                ahead = waiter.lease;
                if (edges.size() > most) {
                    return new WaitGraph(edges.subList(0, most), true);
                }
            }
        }
        return new WaitGraph(edges, false);
    }
}
