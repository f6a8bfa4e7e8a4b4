package io.holdfast.core;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session that would wait for itself is refused, and told round which circle; nobody else is. */
class DeadlockTest {
    private static final Duration TTL = ofSeconds(60);

    private final World world = World.raised();

    @Test
    void of_two_sessions_the_second_to_wait_is_refused_and_told_the_circle() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.tries("a");
        two.tries("b");
        assertThat(one.waits("b").waits()).isTrue();
        var refused = two.waits("a");
        assertThat(refused.answer)
                .isEqualTo(new Outcome.Deadlock(List.of(
                        new WaitEdge(two.owner, "client 2", new LockName("a"), one.owner, "client 1", true),
                        new WaitEdge(one.owner, "client 1", new LockName("b"), two.owner, "client 2", true))));
        assertThat(world.queue("a")).isEmpty();
        two.release("b");
        assertThat(one.tries("b").holds()).isTrue();
    }

    @Test
    void a_retry_is_refused_even_when_the_way_would_be_clear_by_now() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.tries("a");
        two.tries("b");
        one.waits("b");
        var refused = two.waits("a");
        one.close();
        assertThat(refused.again()).isEqualTo(new Outcome.Deadlock(List.of()));
        assertThat(two.tries("a").holds()).isTrue();
    }

    @Test
    void three_and_ten_sessions_in_a_circle_are_found() {
        for (int count : new int[] {3, 10}) {
            World fresh = World.raised();
            List<World.Client> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                clients.add(fresh.session(TTL));
                clients.get(i).tries("k" + i);
            }
            for (int i = 0; i < count - 1; i++) {
                assertThat(clients.get(i).waits("k" + (i + 1)).waits()).isTrue();
            }
            var cycle = ((Outcome.Deadlock) clients.get(count - 1).waits("k0").answer).cycle();
            assertThat(cycle).hasSize(count);
            assertThat(cycle).extracting(WaitEdge::name).doesNotHaveDuplicates();
        }
    }

    @Test
    void readers_who_hold_and_a_writer_who_waits_close_a_circle() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.asks("a", ZERO, Terms.SHARED);
        two.asks("a", ZERO, Terms.SHARED);
        two.tries("b");
        assertThat(one.waits("b").waits()).isTrue();
        var three = world.session(TTL);
        three.waits("a");
        three.tries("c");
        // Two holds a together with one, who waits for b; three waits for both to give a back.
        var cycle = ((Outcome.Deadlock) two.waits("c").answer).cycle();
        assertThat(cycle).extracting(WaitEdge::name).containsExactly(new LockName("c"), new LockName("a"));
    }

    @Test
    void who_is_only_ahead_in_the_queue_is_waited_for_too() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        world.shares("a", "R", TTL);
        two.tries("b");
        one.waits("a");
        assertThat(two.asks("a", World.FOREVER, Terms.SHARED).waits())
                .as("behind a writer")
                .isTrue();
        // One waits for b, which two holds, who is behind one in the queue of a.
        var cycle = ((Outcome.Deadlock) one.waits("b").answer).cycle();
        assertThat(cycle.get(1))
                .isEqualTo(new WaitEdge(two.owner, "client 2", new LockName("a"), one.owner, "client 1", false));
    }

    @Test
    void a_one_shot_waiter_may_stand_in_between() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.asks("a", ZERO, Terms.SHARED);
        two.tries("b");
        world.waits("a", "W", TTL);
        assertThat(two.asks("a", World.FOREVER, Terms.SHARED).waits())
                .as("behind a writer that waits for one")
                .isTrue();
        assertThat(one.waits("b").answer).isInstanceOf(Outcome.Deadlock.class);
    }

    @Test
    void permits_that_others_can_give_back_are_no_deadlock() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.asks("s", ZERO, permits(2));
        world.takes("s", "free", 1, 3, TTL);
        two.tries("b");
        assertThat(one.waits("b").waits()).isTrue();
        assertThat(two.asks("s", World.FOREVER, permits(1)).waits())
                .as("the third permit comes back")
                .isTrue();
    }

    @Test
    void permits_that_only_a_waiter_could_give_back_are_one() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.asks("s", ZERO, permits(2));
        world.takes("s", "free", 1, 3, TTL);
        two.tries("b");
        one.waits("b");
        assertThat(two.asks("s", World.FOREVER, permits(2)).answer).isInstanceOf(Outcome.Deadlock.class);
    }

    @Test
    void permits_of_two_who_wait_for_each_other_are_one() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.asks("s", ZERO, permits(2));
        two.asks("s", ZERO, permits(1));
        two.tries("b");
        one.waits("b");
        assertThat(two.asks("t", World.FOREVER, permits(1)).holds()).isTrue();
        assertThat(two.waits("b").holds()).as("its own").isTrue();
        var three = world.session(TTL);
        three.tries("c");
        three.asks("s", World.FOREVER, permits(3));
        assertThat(two.waits("c").answer).isInstanceOf(Outcome.Deadlock.class);
    }

    @Test
    void a_set_is_refused_if_one_of_its_locks_closes_a_circle() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.tries("a");
        two.tries("b");
        one.waits("b");
        var all = new Command.AcquireAll(
                two.owner,
                List.of(new Want(new LockName("a"), Terms.PLAIN), new Want(new LockName("z"), Terms.PLAIN)),
                two.request(),
                0,
                Bounds.WAIT_FOREVER,
                "");
        assertThat(world.run(all)).isInstanceOf(Outcome.Deadlock.class);
        assertThat(world.lock("z")).isEmpty();
    }

    @Test
    void two_processes_under_one_owner_name_are_not_one_actor() {
        var one = world.session(TTL);
        world.tries("b", "host-7", TTL);
        one.tries("a");
        world.waits("a", "host-7", TTL);
        assertThat(one.waits("b").waits()).isTrue();
    }

    @Test
    void who_only_tries_is_told_that_it_is_held() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.tries("a");
        two.tries("b");
        one.waits("b");
        assertThat(two.tries("a").answer).isInstanceOf(Outcome.Held.class);
    }

    @Test
    void who_allows_it_waits() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.tries("a");
        two.tries("b");
        one.waits("b");
        assertThat(world.run(allowing(two, "a"))).isInstanceOf(Outcome.Queued.class);
        var three = world.session(TTL);
        three.tries("c");
        world.waits("c", "W", TTL);
        assertThat(three.waits("a").waits())
                .as("behind the two, not one of them")
                .isTrue();
        assertThat(one.waits("c").answer).as("one of the two").isInstanceOf(Outcome.Deadlock.class);
    }

    @Test
    void a_snapshot_makes_no_difference() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        world.shares("a", "R", TTL);
        two.tries("b");
        one.waits("a");
        two.asks("a", World.FOREVER, Terms.SHARED);
        one.waits("x");
        one.tries("y");
        World restored = world.restored();
        var asked = new Command.Acquire(one.owner, new LockName("b"), one.request(), 0, Bounds.WAIT_FOREVER, "");
        assertThat(restored.run(asked)).isInstanceOf(Outcome.Deadlock.class);
    }

    @Test
    void the_present_graph_tells_who_waits_for_whom() {
        var one = world.session(TTL);
        one.tries("a");
        world.waits("a", "B", TTL);
        world.waits("a", "C", TTL);
        Owner b = new Owner.OneShot("B");
        var first = new WaitEdge(b, "", new LockName("a"), one.owner, "client 1", true);
        var second = new WaitEdge(new Owner.OneShot("C"), "", new LockName("a"), b, "", false);
        assertThat(world.table.waits(9)).isEqualTo(new WaitGraph(List.of(first, second), false));
        assertThat(world.table.waits(1)).isEqualTo(new WaitGraph(List.of(first), true));
    }

    @Test
    void in_feature_level_1_it_waits_as_ever() {
        World old = new World();
        var one = old.session(TTL);
        var two = old.session(TTL);
        one.tries("a");
        two.tries("b");
        one.waits("b");
        assertThat(two.waits("a").waits()).isTrue();
        assertThat(old.run(allowing(two, "c"))).isEqualTo(new Outcome.FeatureLevelTooLow(2, 1));
    }

    @Test
    void beyond_the_bound_of_steps_it_waits() {
        int count = DeadlockSearch.MAX_STEPS + 2;
        World.Client first = world.session(TTL);
        World.Client last = first;
        first.tries("k0");
        for (int i = 1; i < count; i++) {
            World.Client next = world.session(TTL);
            next.tries("k" + i);
            last.waits("k" + i);
            last = next;
        }
        assertThat(last.waits("k0").waits()).isTrue();
    }

    private static Terms permits(int some) {
        return new Terms(new Mode.Permits(some, 3));
    }

    private static Command allowing(World.Client client, String name) {
        return new Command.Acquire(
                client.owner, new LockName(name), client.request(), 0, Bounds.WAIT_FOREVER, "", Terms.PLAIN, true);
    }
}
