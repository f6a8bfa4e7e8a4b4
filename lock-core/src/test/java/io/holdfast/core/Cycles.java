package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** What the refusals of deadlocks say. */
final class Cycles {
    private Cycles() {}

    /** The same, but for who waits for whom. */
    static Applied without(Applied applied) {
        return new Applied(
                applied.position(),
                applied.outcomes().stream().map(Cycles::without).toList(),
                applied.events());
    }

    static Outcome without(Outcome outcome) {
        return outcome instanceof Outcome.Deadlock ? new Outcome.Deadlock(List.of()) : outcome;
    }

    /** Each circle is one, and, where nothing has changed since, its edges are there but for the first, which would have been. */
    static void check(Applied applied, LockTable table) {
        for (Outcome outcome : applied.outcomes()) {
            if (outcome instanceof Outcome.Deadlock deadlock
                    && !deadlock.cycle().isEmpty()) {
                check(deadlock.cycle(), table, applied.outcomes().size() == 1);
            }
        }
    }

    private static void check(List<WaitEdge> cycle, LockTable table, boolean isUnchanged) {
        for (int i = 0; i < cycle.size(); i++) {
            WaitEdge edge = cycle.get(i);
            assertThat(cycle.get((i + 1) % cycle.size()).waiter()).isEqualTo(edge.blocker());
            if (isUnchanged) {
                LockView lock = table.lock(edge.name(), Integer.MAX_VALUE).orElseThrow();
                List<Owner> holders =
                        lock.holders().stream().map(HoldView::owner).toList();
                List<Owner> queue =
                        lock.waiters().stream().map(WaiterView::owner).toList();
                int place = i == 0 ? queue.size() : queue.indexOf(edge.waiter());
                assertThat(place).isNotNegative();
                assertThat(edge.isHolder() ? holders : queue.subList(0, place)).contains(edge.blocker());
            }
        }
    }
}
