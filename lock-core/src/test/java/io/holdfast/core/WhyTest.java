package io.holdfast.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a waiter learns: its place, who is ahead and since when, who holds. */
class WhyTest {
    private static final Duration TTL = ofSeconds(60);

    private final World world = World.raised();

    @Test
    void a_waiter_sees_its_place_who_is_ahead_and_since_when_and_who_holds() {
        world.tries("k", "A", TTL);
        world.waits("k", "B", TTL);
        world.pass(ofSeconds(2));
        world.waits("k", "C", TTL);
        world.waits("k", "D", TTL);
        world.pass(ofSeconds(3));

        Why why = why("k", "D", 9).orElseThrow();
        assertThat(why.place()).isEqualTo(3);
        assertThat(why.ahead()).extracting(it -> it.owner().toString()).containsExactly("B", "C");
        assertThat(why.ahead())
                .extracting(WaiterView::waitedNanos)
                .containsExactly(ofSeconds(5).toNanos(), ofSeconds(3).toNanos());
        assertThat(why.waiter().owner()).isEqualTo(new Owner.OneShot("D"));
        assertThat(why.lock().holders()).extracting(it -> it.owner().toString()).containsExactly("A");
        assertThat(why.lock().waiterCount()).isEqualTo(3);
        assertThat(why("k", "D", 1).orElseThrow().ahead()).hasSize(1);
        assertThat(why("k", "D", 1).orElseThrow().place()).isEqualTo(3);
    }

    @Test
    void who_does_not_wait_has_no_reason() {
        world.tries("k", "A", TTL);
        assertThat(why("k", "A", 9)).isEmpty();
        assertThat(why("free", "A", 9)).isEmpty();
    }

    @Test
    void who_waits_for_a_set_sees_its_other_locks() {
        world.tries("l", "A", TTL);
        world.run(world.askingAll("B", TTL, World.FOREVER, "k", "l", "m"));
        Why why = why("k", "B", 9).orElseThrow();
        assertThat(why.place()).isEqualTo(1);
        assertThat(why.lock().holders()).isEmpty();
        assertThat(why.others()).isEqualTo(List.of(new LockName("l"), new LockName("m")));
    }

    @Test
    void sessions_are_listed_page_by_page_with_what_they_have() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        var three = world.session(TTL);
        two.tries("k");
        two.tries("l");
        three.waits("k");
        assertThat(world.table.sessions(Optional.empty(), 2))
                .extracting(SessionView::session)
                .containsExactly(one.id, two.id);
        assertThat(world.table.sessions(Optional.of(two.id), 2))
                .extracting(SessionView::session)
                .containsExactly(three.id);
        SessionClaims claims = world.table.claims(two.id, 1).orElseThrow();
        assertThat(claims.session().holds()).isEqualTo(2);
        assertThat(claims.holds()).extracting(HoldView::name).containsExactly(new LockName("k"));
        assertThat(world.table.claims(three.id, 9).orElseThrow().waits()).containsExactly(new LockName("k"));
        assertThat(world.table.claims(new SessionId(0, 0), 9)).isEmpty();
    }

    private Optional<Why> why(String name, String owner, int most) {
        return world.table.why(new LockName(name), new Owner.OneShot(owner), most);
    }
}
