package io.holdfast.core;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generates what clients and the clock do. */
final class Histories {
    private Histories() {}

    static Arbitrary<List<Step>> of(int steps) {
        return steps().list().ofSize(steps);
    }

    static Arbitrary<Step> steps() {
        Arbitrary<Step.Kind> kinds = Arbitraries.frequency(
                Tuple.of(8, Step.Kind.ACQUIRE),
                Tuple.of(3, Step.Kind.ASK_AGAIN),
                Tuple.of(2, Step.Kind.GIVE_UP),
                Tuple.of(4, Step.Kind.RELEASE),
                Tuple.of(2, Step.Kind.RENEW),
                Tuple.of(2, Step.Kind.OPEN),
                Tuple.of(1, Step.Kind.CLOSE),
                Tuple.of(1, Step.Kind.RAISE),
                Tuple.of(3, Step.Kind.RESEND),
                Tuple.of(4, Step.Kind.PASS),
                Tuple.of(1, Step.Kind.TICK));
        Arbitrary<Integer> choices = Arbitraries.integers().between(0, 11);
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.integers().between(0, 2),
                        choices,
                        choices,
                        Arbitraries.of(true, false, false))
                .as(Step::new);
    }
}
