package io.holdfast.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each bound of a store: reached, not passed, and left again. */
class LimitsTest {
    private static final Duration TTL = ofSeconds(10);

    @Test
    void leases_of_the_store() {
        World world = new World(new Limits(3, 9, 9, 9, 9, 60_000_000_000L, 9, 1_000, 1 << 20));
        var client = world.session(TTL);
        world.tries("k1", "A", TTL);
        world.waits("k1", "B", TTL);
        var refused = new Outcome.LimitReached("leases of the store", 3);
        var c = world.waits("k1", "C", TTL);
        assertThat(c.answer).isEqualTo(refused);
        assertThat(world.session(TTL).opened).isEqualTo(refused);
        assertThat(client.tries("k2").answer).isInstanceOf(Outcome.Granted.class); // needs no lease of its own
        assertThat(world.table.leaseCount()).isEqualTo(3);
        world.release("k1", "A");
        assertThat(c.again()).isInstanceOf(Outcome.Queued.class); // nothing had been done, so it may be sent again
    }

    @Test
    void waiters_of_one_lock() {
        World world = new World(new Limits(9, 2, 9, 9, 9, 60_000_000_000L, 9, 1_000, 1 << 20));
        world.tries("k", "A", TTL);
        var b = world.waits("k", "B", TTL);
        world.waits("k", "C", TTL);
        var d = world.waits("k", "D", TTL);
        assertThat(d.answer).isEqualTo(new Outcome.LimitReached("waiters of one lock", 2));
        assertThat(world.table.leaseCount()).isEqualTo(3); // the refused one left no lease
        assertThat(world.tries("k", "E", TTL).answer).isInstanceOf(Outcome.Held.class);
        assertThat(b.again()).isInstanceOf(Outcome.Queued.class);
        b.giveUp();
        assertThat(d.again()).isInstanceOf(Outcome.Queued.class);
    }

    @Test
    void locks_of_one_session_held_or_waited_for() {
        World world = new World(new Limits(9, 9, 2, 9, 9, 60_000_000_000L, 9, 1_000, 1 << 20));
        var client = world.session(TTL);
        world.tries("k2", "A", TTL);
        client.tries("k1");
        var wait = client.waits("k2");
        assertThat(client.tries("k3").answer).isEqualTo(new Outcome.LimitReached("locks of one session", 2));
        assertThat(client.tries("k1").answer).isInstanceOf(Outcome.Granted.class);
        wait.giveUp();
        assertThat(client.tries("k3").answer).isInstanceOf(Outcome.Granted.class);
        assertThat(world.session(TTL).tries("k4").answer).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void answers_that_a_client_has_not_seen() {
        World world = new World(new Limits(9, 9, 9, 2, 9, 60_000_000_000L, 9, 1_000, 1 << 20));
        var client = world.session(TTL);
        var held = client.tries("k");
        client.release("nothing");
        client.release("nothing");
        var refused = new Outcome.LimitReached("unseen answers of one session", 2);
        assertThat(client.release("k")).isEqualTo(refused);
        assertThat(client.tries("other").answer).isEqualTo(refused);
        assertThat(held.again()).isInstanceOf(Outcome.Granted.class); // a retry is no new request
        client.seenUpTo = 3;
        assertThat(client.release("k")).isInstanceOf(Outcome.Released.class);
        assertThat(client.tries("other").answer).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void acquires_that_one_hold_or_place_answers() {
        World world = new World();
        var client = world.session(TTL);
        for (int i = 0; i < 64; i++) {
            assertThat(client.tries("k").answer).isInstanceOf(Outcome.Granted.class);
        }
        assertThat(client.tries("k").answer)
                .isEqualTo(new Outcome.LimitReached("open acquires of one session for one lock", 64));
        client.seenUpTo = 1;
        assertThat(client.tries("k").answer).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void leases_and_waits_that_one_entry_sweeps() {
        World world = new World(new Limits(99, 99, 9, 9, 99, 60_000_000_000L, 4, 1_000, 1 << 20));
        for (int i = 0; i < 6; i++) {
            world.tries("k" + i, "A", ofSeconds(1));
            world.asks("k" + i, "B", ofSeconds(3), ofSeconds(1));
        }
        world.passUnnoticed(ofSeconds(1));
        for (int left = 8; left >= 0; left -= 4) {
            world.tick();
            assertThat(world.table.nextDeadlineNanos().isPresent()).isEqualTo(left > 0);
        }
        assertThat(world.events()).hasSize(4);
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void finished_requests_and_ended_sessions_that_are_remembered() {
        State state = new State(new Limits(99, 99, 9, 9, 3, 60_000_000_000L, 4, 1_000, 1 << 20), StoreImage.NEW);
        for (int i = 0; i < 10; i++) {
            state.finished.remember(new RequestId(0, i), Past.of(Past.Answer.HELD), i);
            state.endedSessions.remember(new SessionId(0, i), End.EXPIRED, i);
        }
        assertThat(state.finished.size()).isEqualTo(3);
        assertThat(state.endedSessions.size()).isEqualTo(3);
        assertThat(state.finished.find(new RequestId(0, 6))).isEqualTo(Optional.empty());
        assertThat(state.finished.reaches(6, 9)).isFalse();
        assertThat(state.finished.reaches(7, 9)).isTrue();
        state.finished.forgetOld(60_000_000_009L);
        assertThat(state.finished.size()).isEqualTo(1);
    }
}
