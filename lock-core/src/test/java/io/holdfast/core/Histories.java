package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generates what clients and the clock do. */
final class Histories {
    private Histories() {}

    static Arbitrary<List<Step>> of(int steps) {
        Step raise = new Step(Step.Kind.RAISE, 0, 0, 1, 0, 0, false);
        // Mostly all that there is; now and then a store that has not been raised, or is in the middle of it.
        return Arbitraries.frequency(Tuple.of(9, true), Tuple.of(1, false))
                .flatMap(isRaised -> steps().list().ofSize(steps).map(list -> isRaised ? with(raise, list) : list));
    }

    private static List<Step> with(Step first, List<Step> others) {
        List<Step> all = new ArrayList<>(others);
        all.set(0, first);
        return all;
    }

    static Arbitrary<Step> steps() {
        Arbitrary<Step.Kind> kinds = Arbitraries.frequency(
                Tuple.of(8, Step.Kind.ACQUIRE),
                Tuple.of(3, Step.Kind.ASK_AGAIN),
                Tuple.of(2, Step.Kind.GIVE_UP),
                Tuple.of(4, Step.Kind.RELEASE),
                Tuple.of(2, Step.Kind.CONVERT),
                Tuple.of(1, Step.Kind.PROCLAIM),
                Tuple.of(2, Step.Kind.HAND_OFF),
                Tuple.of(2, Step.Kind.REVOKE),
                Tuple.of(3, Step.Kind.ACQUIRE_ALL),
                Tuple.of(1, Step.Kind.RELEASE_ALL),
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
                        choices,
                        Arbitraries.of(true, false, false))
                .as(Step::new);
    }
}
