package io.holdfast.core;

import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Sessions: one lease for all that a client holds or waits for. */
class SessionTest {
    private static final Duration TTL = ofSeconds(10);

    private final World world = new World();

    @Test
    void closing_gives_up_every_wait_then_releases_every_hold() {
        var client = world.session(TTL);
        world.tries("k3", "A", TTL);
        FencingToken one = client.tries("k1").hold().token();
        FencingToken two = client.tries("k2").hold().token();
        var wait = client.waits("k3");
        var next = world.waits("k2", "B", TTL);
        assertThat(client.close()).isEqualTo(new Outcome.SessionClosed());
        assertThat(world.events())
                .containsExactly(
                        new Event.LeftQueue(new LockName("k3"), client.owner, "client 1", End.GAVE_UP),
                        new Event.HoldEnded(new LockName("k1"), client.owner, "client 1", one, End.RELEASED),
                        new Event.HoldEnded(new LockName("k2"), client.owner, "client 1", two, End.RELEASED),
                        new Event.Acquired(
                                new LockName("k2"),
                                new Owner.OneShot("B"),
                                "",
                                next.hold().token(),
                                Mode.EXCLUSIVE,
                                ""),
                        new Event.SessionEnded(client.id, "client 1", End.RELEASED));
        assertThat(client.close()).isEqualTo(new Outcome.NoSuchSession());
        assertThat(wait.again()).isEqualTo(new Outcome.NoSuchSession());
        assertThat(wait.stands()).isEqualTo(new Outcome.NoSuchSession());
    }

    @Test
    void every_grant_or_place_that_a_session_is_told_of_is_a_renewal_and_a_refusal_is_none() {
        var client = world.session(TTL);
        world.tries("held", "A", ofSeconds(100));
        world.pass(ofSeconds(3));
        client.tries("free");
        assertThat(remaining(client)).isEqualTo(TTL);
        world.pass(ofSeconds(3));
        var wait = client.waits("held");
        assertThat(remaining(client)).isEqualTo(TTL);
        world.pass(ofSeconds(3));
        wait.again();
        assertThat(remaining(client)).isEqualTo(TTL);
        world.pass(ofSeconds(3));
        client.tries("held");
        client.release("nothing");
        assertThat(remaining(client)).isEqualTo(ofSeconds(7));
        client.renew();
        assertThat(remaining(client)).isEqualTo(TTL);
    }

    @Test
    void opening_twice_is_opening_once_with_the_first_ttl() {
        var client = world.session(TTL);
        client.tries("k");
        world.pass(ofSeconds(4));
        var again =
                world.run(new Command.OpenSession(client.id, 0, ofSeconds(99).toNanos(), "other"));
        assertThat(again)
                .isEqualTo(new Outcome.SessionOpened(
                        new SessionView(client.id, "client 1", TTL.toNanos(), TTL.toNanos(), 1, 0)));
        assertThat(world.events()).isEmpty();
    }

    @Test
    void renewing_tells_which_sessions_are_gone_and_renews_the_others() {
        var one = world.session(TTL);
        var gone = world.session(ofSeconds(1));
        var two = world.session(TTL);
        var never = new SessionId(0, 0);
        world.pass(ofSeconds(1));
        assertThat(world.run(new Command.RenewSessions(List.of(gone.id, one.id, never, two.id, one.id))))
                .isEqualTo(new Outcome.SessionsRenewed(List.of(gone.id, never)));
        assertThat(remaining(one)).isEqualTo(TTL);
        assertThat(remaining(two)).isEqualTo(TTL);
    }

    @Test
    void sessions_and_one_shot_owners_share_the_locks_but_never_an_identity() {
        var client = world.session(TTL);
        var held = client.tries("k");
        var namesake = world.tries("k", client.id.toString(), TTL);
        assertThat(namesake.answer).isInstanceOf(Outcome.Held.class);
        assertThat(world.release("k", client.id.toString())).isInstanceOf(Outcome.NotHeld.class);
        assertThat(world.renew("k", client.id.toString())).isInstanceOf(Outcome.NotHeld.class);
        assertThat(held.holds()).isTrue();
    }

    @Test
    void kubernetes_61151_one_session_does_not_enter_what_another_holds() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.tries("k");
        assertThat(two.tries("k").answer).isInstanceOf(Outcome.Held.class);
        assertThat(two.release("k")).isInstanceOf(Outcome.NotHeld.class);
        assertThat(world.holder("k")).contains(one.id.toString());
    }

    @Test
    void a_dead_session_gets_nothing_and_leaves_nothing() {
        var client = world.session(TTL);
        world.pass(TTL);
        assertThat(client.tries("k").answer).isEqualTo(new Outcome.NoSuchSession());
        assertThat(client.release("k")).isEqualTo(new Outcome.NoSuchSession());
        assertThat(client.waits("k").giveUp()).isEqualTo(new Outcome.NoSuchSession());
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void a_session_that_is_due_in_the_entry_that_frees_its_lock_is_not_granted() {
        var client = world.session(ofSeconds(2));
        world.tries("k", "A", TTL);
        client.waits("k");
        var behind = world.waits("k", "B", TTL);
        world.passUnnoticed(ofSeconds(2));
        world.release("k", "A");
        assertThat(behind.holds()).isTrue();
        assertThat(client.lives()).isFalse();
    }

    @Test
    void a_session_id_that_ended_is_not_opened_again_while_that_is_remembered() {
        var client = world.session(ofSeconds(1));
        world.pass(ofSeconds(1));
        var anew = new Command.OpenSession(client.id, ofSeconds(1).toNanos(), TTL.toNanos(), "");
        assertThat(world.run(anew)).isEqualTo(new Outcome.NoSuchSession());
        assertThat(client.release("k")).isEqualTo(new Outcome.NoSuchSession());
        assertThat(world.table.session(client.id)).isEqualTo(Optional.empty());
    }

    private Duration remaining(World.Client client) {
        return ofNanos(world.table.session(client.id).orElseThrow().remainingNanos());
    }
}
