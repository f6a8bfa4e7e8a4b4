package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Whatever happens between two snapshots, the second holds the state, no more and no less, and a table restored from it goes on as the first. */
class SnapshotProperties {
    private static final int STEPS = 50;

    @Property(edgeCases = EdgeCasesMode.NONE)
    void with_the_limits_of_a_store_a_restored_table_goes_on_as_the_first(
            @ForAll("histories") List<Step> history, @ForAll("moments") List<Boolean> moments) {
        check(Limits.DEFAULT, history, moments);
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void with_tight_limits_a_restored_table_goes_on_as_the_first(
            @ForAll("histories") List<Step> history, @ForAll("moments") List<Boolean> moments) {
        check(LockTableProperties.TIGHT, history, moments);
    }

    /**
     * Takes a snapshot after each entry that has a moment.
     *
     * @param moments one for each step, thus at least one for each entry
     */
    private static void check(Limits limits, List<Step> history, List<Boolean> moments) {
        Duel duel = new Duel(limits);
        duel.run(history);
        Pair pair = new Pair(limits);
        for (int i = 0; i < duel.log().size(); i++) {
            pair.apply(duel.log().get(i).position(), duel.log().get(i).commands());
            if (moments.get(i)) {
                pair.save();
            }
        }
        pair.save();
        pair.goOn(duel.sent());
    }

    /** A table, the snapshot that its changes make, and the table last restored from that. */
    private static final class Pair {
        private final Limits limits;
        private final LockTable table;
        private final SavedImages saved = new SavedImages();
        private @Nullable LockTable restored;

        Pair(Limits limits) {
            this.limits = limits;
            table = new LockTable(limits);
        }

        void apply(Position position, List<Command> commands) {
            Applied applied = table.apply(position, commands);
            if (restored != null) {
                assertThat(restored.apply(position, commands)).isEqualTo(applied);
                assertThat(restored.digest()).isEqualTo(table.digest());
                assertThat(restored.changeCount()).isEqualTo(table.changeCount());
            }
        }

        void save() {
            String before = table.digest();
            int count = table.changeCount();
            Changes changes = table.takeChanges();
            assertThat(changes.present().size() + changes.gone().size()).isEqualTo(count);
            assertThat(table.changeCount()).isZero();
            assertThat(table.digest()).isEqualTo(before);
            if (restored != null) {
                // The snapshot may be kept up to date by whoever was restored from it.
                assertThat(restored.takeChanges()).isEqualTo(changes);
            }
            saved.write(changes);
            assertThat(saved.records.values()).containsExactlyElementsOf(table.images());
            restored = saved.restore(limits);
            assertThat(restored.digest()).isEqualTo(before);
            assertThat(restored.changeCount()).isZero();
            assertThat(restored.appliedIndex()).isEqualTo(table.appliedIndex());
            assertThat(restored.leaseCount()).isEqualTo(table.leaseCount());
            assertThat(restored.nextDeadlineNanos()).isEqualTo(table.nextDeadlineNanos());
        }

        /** All arrives once more, now and later, and time passes until nothing is left. */
        void goOn(List<Command> commands) {
            for (int i = 0; i < 4; i++) {
                step(table.clockNanos(), commands);
                step(Math.max(table.clockNanos(), table.nextDeadlineNanos().orElse(0)), List.of());
            }
            step(table.clockNanos() + limits.dedupeWindowNanos(), commands);
            save();
            step(table.clockNanos() + 1, List.of());
        }

        private void step(long nanos, List<Command> commands) {
            apply(new Position(table.appliedIndex() + 1, nanos), commands);
        }
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        return Histories.of(STEPS);
    }

    @Provide
    Arbitrary<List<Boolean>> moments() {
        return Arbitraries.of(true, false, false, false).list().ofSize(STEPS);
    }
}
