package io.holdfast.core;

import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/**
 * Whatever the clients and the clock do, the lock table does what the naive service does, and the invariants hold after each entry.
 *
 * <p>Some 2,000 histories of 80 steps. A hundred times as many, for a night: {@code -Djqwik.tries.default=100000}.
 */
@Tag("faults")
class LockTableProperties {
    /** Limits so small that histories reach them. */
    static final Limits TIGHT = new Limits(6, 2, 2, 3, 5, 1_000_000_000L, 2, 9, 1_600);

    /** Few sessions and names. */
    private static final Limits FEW = LockTableProperties.TIGHT.with(1, 2, 1, 2);

    @Property(edgeCases = EdgeCasesMode.NONE)
    void with_the_limits_of_a_store_every_history_keeps_the_rules(@ForAll("histories") List<Step> history) {
        new Duel(Limits.DEFAULT).run(history);
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void with_tight_limits_every_history_keeps_the_rules(@ForAll("histories") List<Step> history) {
        new Duel(TIGHT).run(history);
    }

    @Property(edgeCases = EdgeCasesMode.NONE, tries = 200)
    void with_few_sessions_and_locks_every_history_keeps_the_rules(@ForAll("histories") List<Step> history) {
        new Duel(FEW).run(history);
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        return Histories.of(80);
    }
}
