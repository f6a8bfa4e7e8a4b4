package io.holdfast.core;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Whatever the clients and the clock do, the lock table does what the naive service does, and the invariants hold after each entry. */
class LockTableProperties {
    private static final int STEPS = 50;

    /** Limits so small that histories reach them. */
    private static final Limits TIGHT = new Limits(6, 2, 2, 3, 5, 1_000_000_000L, 2);

    @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
    void with_the_limits_of_a_store_every_history_keeps_the_rules(@ForAll("histories") List<Step> history) {
        new Duel(Limits.DEFAULT).run(history);
    }

    @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
    void with_tight_limits_every_history_keeps_the_rules(@ForAll("histories") List<Step> history) {
        new Duel(TIGHT).run(history);
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<Step.Kind> kinds = Arbitraries.frequency(
                Tuple.of(8, Step.Kind.ACQUIRE),
                Tuple.of(3, Step.Kind.ASK_AGAIN),
                Tuple.of(2, Step.Kind.GIVE_UP),
                Tuple.of(4, Step.Kind.RELEASE),
                Tuple.of(2, Step.Kind.RENEW),
                Tuple.of(2, Step.Kind.OPEN),
                Tuple.of(1, Step.Kind.CLOSE),
                Tuple.of(3, Step.Kind.RESEND),
                Tuple.of(4, Step.Kind.PASS),
                Tuple.of(1, Step.Kind.TICK));
        Arbitrary<Integer> choices = Arbitraries.integers().between(0, 11);
        Arbitrary<Step> steps = Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.integers().between(0, 2),
                        choices,
                        choices,
                        Arbitraries.of(true, false, false))
                .as(Step::new);
        return steps.list().ofSize(STEPS);
    }
}
