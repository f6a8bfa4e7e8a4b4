package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A digest leaves nothing out: two states with one digest behave alike, whatever comes. */
class DigestProperties {
    private static final long MILLI = 1_000_000;

    @Property(edgeCases = EdgeCasesMode.NONE)
    void two_states_that_will_behave_differently_have_two_digests(
            @ForAll("histories") List<Step> history, @ForAll("steps") Step last, @ForAll("choices") int which) {
        Duel duel = new Duel(which % 2 == 0 ? Limits.DEFAULT : LockTableProperties.TIGHT);
        duel.run(history);
        Optional<Command> command = duel.command(last);
        if (command.isEmpty()) {
            return;
        }
        Twin one = new Twin(duel, command);
        Twin other = new Twin(duel, Variation.of(command.get(), which / 2));

        String digest = one.table.digest();
        String otherDigest = other.table.digest();
        List<Command> all = new ArrayList<>(duel.sent());
        all.add(command.get());
        Variation.of(command.get(), which / 2).ifPresent(all::add);
        if (!one.future(all).equals(other.future(all))) {
            assertThat(digest)
                    .as("after %s, or %s", command.get(), Variation.of(command.get(), which / 2))
                    .isNotEqualTo(otherDigest);
        }
    }

    /** A table with the history of a duel and one more command. */
    private static final class Twin {
        private final LockTable table;
        private long nanos;

        Twin(Duel duel, Optional<Command> last) {
            table = new LockTable(duel.limits());
            duel.log().forEach(entry -> table.apply(entry.position(), entry.commands()));
            nanos = table.clockNanos();
            apply(last.stream().toList());
        }

        /** What is seen of it from here on: everything arrives once more, now and later, and time passes. */
        List<Object> future(List<Command> all) {
            List<Object> seen = new ArrayList<>();
            seen.add(table.locks("", "", 99, 99));
            for (int i = 0; i < 4; i++) {
                seen.add(apply(all));
                seen.add(table.locks("", "", 99, 99));
                nanos = i == 2
                        ? nanos + 61_000 * MILLI
                        : Math.max(nanos, table.nextDeadlineNanos().orElse(nanos + 40 * MILLI));
                seen.add(apply(List.of()));
                seen.add(table.nextDeadlineNanos());
            }
            return seen;
        }

        private Applied apply(List<Command> commands) {
            return table.apply(new Position(table.appliedIndex() + 1, nanos), commands);
        }
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        return Histories.of(15);
    }

    @Provide
    Arbitrary<Step> steps() {
        return Histories.steps();
    }

    @Provide
    Arbitrary<Integer> choices() {
        return Arbitraries.integers().between(0, 167);
    }
}
