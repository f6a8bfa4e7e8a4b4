package io.holdfast.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each bound of a store: reached, not passed, and left again. */
class LimitsTest {
    private static final Limits WIDE = new Limits(99, 99, 99, 99, 99, 60_000_000_000L, 99, 1_000, 1 << 20);
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

    @Test
    void one_session_too_many_is_refused_until_one_ends() {
        World world = World.raised(WIDE.with(2, 99, 99, 99));
        var one = world.session(TTL);
        world.session(TTL);
        assertThat(world.session(TTL).opened).isEqualTo(new Outcome.LimitReached("sessions of the store", 2));
        assertThat(world.run(new Command.OpenSession(one.id, 0, TTL.toNanos(), "")))
                .as("one that is open")
                .isInstanceOf(Outcome.SessionOpened.class);
        one.close();
        assertThat(world.session(TTL).opened).isInstanceOf(Outcome.SessionOpened.class);
    }

    @Test
    void one_name_too_many_is_refused_until_one_is_free() {
        World world = World.raised(WIDE.with(99, 2, 99, 99));
        world.tries("a", "A", TTL);
        world.tries("b", "A", TTL);
        assertThat(world.tries("c", "A", TTL).answer).isEqualTo(new Outcome.LimitReached("locks of the store", 2));
        assertThat(world.run(world.askingAll("S", TTL, World.FOREVER, "a", "c")))
                .isEqualTo(new Outcome.LimitReached("locks of the store", 2));
        assertThat(world.waits("a", "B", TTL).waits())
                .as("of a name that there is")
                .isTrue();
        world.release("b", "A");
        assertThat(world.tries("c", "A", TTL).holds()).isTrue();
    }

    @Test
    void one_name_too_many_of_a_namespace_leaves_the_others_alone() {
        World world = World.raised(WIDE.with(99, 99, 2, 99));
        world.tries("orders/1", "A", TTL);
        world.tries("orders/2", "A", TTL);
        var full = new Outcome.LimitReached("locks of one namespace", 2);
        assertThat(world.tries("orders/3", "A", TTL).answer).isEqualTo(full);
        assertThat(world.tries("orders/3/4", "A", TTL).answer).isEqualTo(full);
        assertThat(world.tries("orders", "A", TTL).holds())
                .as("a name of its own")
                .isTrue();
        assertThat(world.tries("orders-2/1", "A", TTL).holds()).isTrue();
        assertThat(world.run(world.askingAll("S", TTL, World.FOREVER, "x/1", "x/2", "x/3")))
                .isEqualTo(full);
        world.release("orders/1", "A");
        assertThat(world.restored().tries("orders/3", "A", TTL).holds()).isTrue();
        assertThat(world.tries("orders/3", "A", TTL).holds()).isTrue();
        assertThat(world.tries("orders/4", "A", TTL).answer).isEqualTo(full);
    }

    @Test
    void a_set_too_large_is_refused_as_a_whole() {
        World world = World.raised(WIDE.with(99, 99, 99, 2));
        assertThat(world.run(world.askingAll("S", TTL, World.FOREVER, "a", "b", "c")))
                .isEqualTo(new Outcome.LimitReached("locks of one set", 2));
        assertThat(world.lock("a")).isEmpty();
        assertThat(world.run(world.askingAll("S", TTL, World.FOREVER, "a", "b")))
                .isInstanceOf(Outcome.GrantedAll.class);
    }

    @Test
    void in_feature_level_1_the_first_versions_limits_are_all_there_are() {
        World old = new World(WIDE.with(1, 1, 1, 2));
        old.session(TTL);
        assertThat(old.session(TTL).opened).isInstanceOf(Outcome.SessionOpened.class);
        old.tries("a", "A", TTL);
        assertThat(old.tries("b", "A", TTL).holds()).isTrue();
    }

    @Test
    void the_metadata_of_a_session_is_kept_and_shown_and_bounded() {
        World world = World.raised();
        var id = new SessionId(3, 3);
        assertThat(world.run(new Command.OpenSession(id, 0, TTL.toNanos(), "host-3", "{\"pod\": 7}")))
                .isEqualTo(new Outcome.SessionOpened(
                        new SessionView(id, "host-3", TTL.toNanos(), TTL.toNanos(), 0, 0, "{\"pod\": 7}")));
        assertThat(world.restored().table.session(id)).isEqualTo(world.table.session(id));
        assertThat(Bounds.metadata("x".repeat(Bounds.MAX_METADATA_BYTES))).isEmpty();
        assertThat(Bounds.metadata("x".repeat(Bounds.MAX_METADATA_BYTES + 1))
                        .orElseThrow()
                        .message())
                .contains("metadata", "0 to 1024 bytes");
        assertThat(new World().run(new Command.OpenSession(id, 0, TTL.toNanos(), "", "m")))
                .isEqualTo(new Outcome.FeatureLevelTooLow(2, 1));
    }
}
