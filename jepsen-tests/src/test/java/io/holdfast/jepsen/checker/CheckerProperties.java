package io.holdfast.jepsen.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jepsen.checker.SimulatedStore.Fault;
import io.holdfast.jepsen.history.History;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;

/** The checkers find what a wrong store did whenever it could be seen, and never blame a right one. */
class CheckerProperties {
    private static final int STEPS = 60;

    @Property
    void a_right_store_is_never_blamed(@ForAll long seed) {
        History history = new SimulatedStore(seed, Fault.NONE).run(STEPS);
        assertThat(Checker.ALL)
                .allSatisfy(c -> assertThat(c.check(history).problems()).isEmpty());
    }

    @Property
    void early_expiry_is_found_whenever_it_can_be_seen(@ForAll long seed) {
        assertFound(new NoEarlyExpiry(), new SimulatedStore(seed, Fault.EARLY_EXPIRY));
    }

    @Property
    void a_token_given_twice_is_found(@ForAll long seed) {
        assertFound(new FencingOrder(), new SimulatedStore(seed, Fault.SAME_TOKEN));
    }

    @Property
    void a_falling_token_is_found(@ForAll long seed) {
        assertFound(new FencingOrder(), new SimulatedStore(seed, Fault.LOWER_TOKEN));
    }

    private static void assertFound(Checker checker, SimulatedStore store) {
        History history = store.run(STEPS);
        boolean wrong = store.wrongs() > 0;
        assertThat(checker.check(history).valid()).isEqualTo(!wrong);
        // Else the property would hold for a checker that finds nothing.
        Statistics.collect(wrong);
        Statistics.coverage(seen -> seen.check(true).percentage(percent -> percent > 50));
    }
}
