package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The heap of deadlines does what a sorted list does, with O(log n) moves a change. */
class DeadlineHeapProperties {
    private static final Comparator<Timed> ORDER =
            Comparator.comparingLong(Timed::deadlineNanos).thenComparingLong(it -> it.sequence);

    private enum Kind {
        ADD,
        MOVE,
        REMOVE,
        POLL
    }

    /** A change: which member, and its deadline. Deadlines are few, so that many are equal. */
    private record Change(Kind kind, int which, int deadline) {}

    @Property(edgeCases = EdgeCasesMode.NONE)
    void it_yields_what_is_due_in_order_of_deadline_then_of_making(@ForAll("changes") List<Change> changes) {
        DeadlineHeap heap = new DeadlineHeap();
        List<Timed> sorted = new ArrayList<>();
        List<Timed> all = new ArrayList<>();
        for (Change change : changes) {
            int[] before = all.stream().mapToInt(it -> it.heapIndex).toArray();
            int size = heap.size();
            apply(change, heap, sorted, all);
            sorted.sort(ORDER);

            assertThat(heap.size()).isEqualTo(sorted.size());
            assertThat(heap.earliest()).isEqualTo(sorted.stream().findFirst());
            assertThat(all).allSatisfy(it -> assertThat(it.heapIndex >= 0).isEqualTo(sorted.contains(it)));
            int moved = 0;
            for (int i = 0; i < before.length; i++) {
                moved += all.get(i).heapIndex == before[i] ? 0 : 1;
            }
            assertThat(moved).isLessThanOrEqualTo(2 + 32 - Integer.numberOfLeadingZeros(size));
        }
        List<Timed> drained = new ArrayList<>();
        for (Optional<Timed> next = heap.earliest(); next.isPresent(); next = heap.earliest()) {
            drained.add(next.get());
            heap.remove(next.get());
        }
        assertThat(drained).isEqualTo(sorted);
    }

    private static void apply(Change change, DeadlineHeap heap, List<Timed> sorted, List<Timed> all) {
        switch (change.kind) {
            case ADD -> {
                Timed added = new Lease.OfHold(new Owner.OneShot("o"), all.size(), 0, change.deadline, "");
                heap.add(added);
                sorted.add(added);
                all.add(added);
            }
            case MOVE -> {
                if (!sorted.isEmpty()) {
                    heap.move(sorted.get(change.which % sorted.size()), change.deadline);
                }
            }
            case REMOVE -> {
                if (!all.isEmpty()) {
                    Timed removed = all.get(change.which % all.size()); // perhaps one that is out already
                    heap.remove(removed);
                    sorted.remove(removed);
                }
            }
            case POLL ->
                heap.earliest().ifPresent(it -> {
                    heap.remove(it);
                    sorted.remove(it);
                });
        }
    }

    @Provide
    Arbitrary<List<Change>> changes() {
        return Combinators.combine(
                        Arbitraries.of(Kind.ADD, Kind.ADD, Kind.ADD, Kind.MOVE, Kind.MOVE, Kind.REMOVE, Kind.POLL),
                        Arbitraries.integers().between(0, 1_000),
                        Arbitraries.integers().between(0, 20))
                .as(Change::new)
                .list()
                .ofMaxSize(60);
    }
}
