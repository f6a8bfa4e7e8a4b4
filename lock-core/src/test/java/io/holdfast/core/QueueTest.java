package io.holdfast.core;

import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who gets the lock next, and who leaves the queue without it. */
class QueueTest {
    private static final Duration TTL = ofSeconds(10);
    private static final LockName K = new LockName("k");

    private final World world = new World();

    @Test
    void a_waiter_keeps_its_place_and_its_wait_deadline_however_often_it_asks() {
        world.tries("k", "A", ofSeconds(100));
        var b = world.asks("k", "B", TTL, ofSeconds(7));
        world.waits("k", "C", TTL);
        world.pass(ofSeconds(4));
        assertThat(b.again()).isInstanceOf(Outcome.Queued.class);
        assertThat(world.queue("k")).containsExactly("B", "C");
        world.pass(ofSeconds(3));
        assertThat(b.stands()).isEqualTo(new Outcome.Ended(End.TIMED_OUT, Optional.empty()));
        assertThat(world.queue("k")).containsExactly("C");
    }

    @Test
    void redisson_3004_the_living_are_served_in_order_and_the_dead_between_them_cost_nothing() {
        world.tries("k", "holder", ofSeconds(50));
        List<World.Ask> living = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            if (i % 3 == 1) {
                world.waits("k", "dead " + i, TTL);
            } else {
                living.add(world.waits("k", "alive " + i, TTL));
            }
        }
        for (int i = 0; i < 9; i++) {
            world.pass(ofSeconds(5));
            living.forEach(World.Ask::again);
        }
        assertThat(world.queue("k")).hasSize(10).allMatch(owner -> owner.startsWith("alive"));
        String holder = "holder";
        for (World.Ask next : living) {
            world.release("k", holder);
            assertThat(next.holds()).isTrue();
            holder = next.command.owner().toString();
        }
        world.release("k", holder);
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void redisson_5761_no_wake_up_is_missed_when_releases_and_acquires_share_an_entry() {
        world.tries("k", "A", TTL);
        var b = world.asking("k", "B", TTL, TTL);
        var c = world.asking("k", "C", TTL, TTL);
        var applied = world.runTogether(List.of(b, world.releasing("k", "A"), c, world.releasing("k", "B"), b, c));
        assertThat(applied.outcomes().get(4)).isInstanceOf(Outcome.Ended.class);
        assertThat(applied.outcomes().get(5)).isInstanceOf(Outcome.Granted.class);
        assertThat(applied.events())
                .containsExactly(
                        new Event.Queued(K, owner("B"), "", Mode.EXCLUSIVE),
                        new Event.HoldEnded(K, owner("A"), "", token(1, 0), End.RELEASED),
                        new Event.Acquired(K, owner("B"), "", token(2, 0), Mode.EXCLUSIVE, ""),
                        new Event.Queued(K, owner("C"), "", Mode.EXCLUSIVE),
                        new Event.HoldEnded(K, owner("B"), "", token(2, 0), End.RELEASED),
                        new Event.Acquired(K, owner("C"), "", token(2, 1), Mode.EXCLUSIVE, ""));
    }

    @Test
    void one_that_gives_up_in_the_middle_leaves_the_others_where_they_are() {
        world.tries("k", "A", TTL);
        world.waits("k", "B", TTL);
        var c = world.waits("k", "C", TTL);
        world.waits("k", "D", TTL);
        assertThat(c.giveUp()).isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
        assertThat(world.queue("k")).containsExactly("B", "D");
        assertThat(c.giveUp()).isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
        assertThat(c.again()).isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
    }

    @Test
    void who_comes_back_after_giving_up_stands_at_the_end() {
        world.tries("k", "A", TTL);
        var b = world.waits("k", "B", TTL);
        world.waits("k", "C", TTL);
        b.giveUp();
        world.waits("k", "B", TTL);
        assertThat(world.queue("k")).containsExactly("C", "B");
    }

    @Test
    void a_session_that_asks_anew_keeps_its_place_and_waits_as_long_as_the_longer_of_both() {
        var client = world.session(ofSeconds(60));
        world.tries("k", "A", ofSeconds(100));
        var first = client.asks("k", ofSeconds(20));
        world.waits("k", "C", ofSeconds(100));
        world.pass(ofSeconds(5));
        client.asks("k", ofSeconds(1));
        assertThat(waitRemaining()).isEqualTo(ofSeconds(15));
        var longer = client.asks("k", ofSeconds(40));
        assertThat(waitRemaining()).isEqualTo(ofSeconds(40));
        assertThat(world.queue("k")).containsExactly(client.id.toString(), "C");

        assertThat(first.giveUp()).isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
        assertThat(world.queue("k")).hasSize(2); // the others of its asks wait on
        world.release("k", "A");
        assertThat(longer.holds()).isTrue();
        assertThat(first.again()).isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
    }

    @Test
    void a_session_that_waits_and_only_tries_besides_is_told_that_it_is_held_and_waits_on() {
        var client = world.session(ofSeconds(60));
        world.tries("k", "A", TTL);
        var waiting = client.waits("k");
        var trying = client.tries("k");
        assertThat(trying.answer).isInstanceOf(Outcome.Held.class);
        world.release("k", "A");
        assertThat(waiting.holds()).isTrue();
        assertThat(trying.again()).isInstanceOf(Outcome.Held.class);
    }

    @Test
    void a_one_shot_owner_that_waits_may_not_wait_twice() {
        world.tries("k", "A", TTL);
        var b = world.waits("k", "B", TTL);
        var other = world.waits("k", "B", TTL);
        assertThat(((Outcome.OwnerBusy) other.answer).holder().orElseThrow().owner())
                .isEqualTo(owner("A"));
        world.release("k", "A");
        assertThat(b.holds()).isTrue();
        assertThat(other.again()).isInstanceOf(Outcome.OwnerBusy.class);
    }

    @Test
    void a_release_by_one_that_only_waits_is_not_held_and_costs_it_nothing() {
        world.tries("k", "A", TTL);
        var b = world.waits("k", "B", TTL);
        assertThat(((Outcome.NotHeld) world.release("k", "B"))
                        .holder()
                        .orElseThrow()
                        .owner())
                .isEqualTo(owner("A"));
        assertThat(b.waits()).isTrue();
    }

    @Test
    void a_wait_that_ends_with_the_entry_that_frees_the_lock_has_timed_out() {
        world.tries("k", "A", TTL);
        var b = world.asks("k", "B", TTL, ofSeconds(2));
        var c = world.waits("k", "C", TTL);
        world.passUnnoticed(ofSeconds(2));
        world.release("k", "A");
        assertThat(b.stands()).isEqualTo(new Outcome.Ended(End.TIMED_OUT, Optional.empty()));
        assertThat(c.holds()).isTrue();
    }

    private Duration waitRemaining() {
        return ofNanos(world.lock("k").orElseThrow().waiters().get(0).waitRemainingNanos());
    }

    private static Owner owner(String id) {
        return new Owner.OneShot(id);
    }

    private static FencingToken token(long index, long nth) {
        return new FencingToken(index * FencingToken.PER_ENTRY + nth);
    }
}
