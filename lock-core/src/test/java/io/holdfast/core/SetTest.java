package io.holdfast.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several locks as one: all or nothing, in the order of coming. */
class SetTest {
    private static final Duration TTL = ofSeconds(10);
    private static final Duration LONG = ofSeconds(1_000);

    private final World world = World.raised();

    @Test
    void a_set_is_granted_by_one_entry_under_one_token() {
        Outcome.GrantedAll granted =
                (Outcome.GrantedAll) world.run(world.askingAll("A", TTL, Duration.ZERO, "c", "a", "b"));
        assertThat(granted.holds()).extracting(hold -> hold.name().value()).containsExactly("a", "b", "c");
        assertThat(granted.holds())
                .allMatch(hold -> hold.token().equals(granted.token()) && hold.logIndex() == world.index());
        var next = world.tries("d", "B", TTL);
        assertThat(next.token()).isGreaterThan(granted.token().value());
    }

    @Test
    void a_set_that_cannot_be_had_as_a_whole_holds_nothing() {
        world.tries("b", "A", TTL);
        Outcome refused = world.run(world.askingAll("S", TTL, Duration.ZERO, "a", "b", "c"));
        assertThat(((Outcome.Held) refused).holder().orElseThrow().owner()).isEqualTo(new Owner.OneShot("A"));
        assertThat(world.lock("a")).isEmpty();
        assertThat(world.lock("c")).isEmpty();
    }

    /** With a lease shorter than the time it took to gather all the locks, several threads held the set. */
    @Test
    void redisson_624_a_set_is_never_gathered_one_by_one() {
        world.tries("k3", "A", LONG);
        var set = world.askingAll("B", ofSeconds(20), LONG, "k1", "k2", "k3");
        assertThat(world.run(set)).isInstanceOf(Outcome.Queued.class);
        assertThat(world.holders("k1")).isEmpty();
        world.pass(ofSeconds(6));
        world.run(set);
        world.pass(ofSeconds(1));
        world.release("k3", "A");
        Outcome.GrantedAll granted = (Outcome.GrantedAll) world.table.standing(set);
        assertThat(granted.holds()).hasSize(3).allMatch(hold -> hold.logIndex() == world.index());
        assertThat(granted.holds())
                .allMatch(hold -> hold.remainingNanos() == ofSeconds(19).toNanos());
    }

    @Test
    void sets_that_overlap_are_granted_in_the_order_of_coming_and_never_deadlock() {
        world.tries("b", "X", LONG);
        var one = world.askingAll("A", LONG, LONG, "a", "b");
        var two = world.askingAll("B", LONG, LONG, "b", "a");
        var three = world.askingAll("C", LONG, LONG, "a", "c");
        world.run(one);
        world.run(two);
        world.run(three);
        world.release("b", "X");
        assertThat(world.table.standing(one)).isInstanceOf(Outcome.GrantedAll.class);
        world.run(world.releasingAll("A", "a", "b"));
        assertThat(world.table.standing(two)).isInstanceOf(Outcome.GrantedAll.class);
        assertThat(world.table.standing(three)).isInstanceOf(Outcome.Queued.class);
        world.run(world.releasingAll("B", "a", "b"));
        assertThat(world.table.standing(three)).isInstanceOf(Outcome.GrantedAll.class);
    }

    @Test
    void a_set_does_not_overtake_another_where_that_is_the_first_of_a_free_lock() {
        world.tries("c", "X", LONG);
        world.tries("a", "Y", LONG);
        var one = world.askingAll("A", LONG, LONG, "b", "c");
        var two = world.askingAll("B", LONG, LONG, "a", "b");
        world.run(one);
        world.run(two);
        world.release("a", "Y");
        assertThat(world.table.standing(two)).as("b is free, and kept for A").isInstanceOf(Outcome.Queued.class);
        world.release("c", "X");
        assertThat(world.table.standing(one)).isInstanceOf(Outcome.GrantedAll.class);
        world.release("b", "A");
        assertThat(world.table.standing(two)).isInstanceOf(Outcome.GrantedAll.class);
    }

    /** The bound: as many grants of each lock as there were before it in that lock's queue. */
    @Test
    void a_big_set_is_granted_in_its_turn_against_a_flood_of_single_acquires() {
        String[] names = IntStream.range(0, 50).mapToObj(i -> "k" + i).toArray(String[]::new);
        for (String name : names) {
            world.tries(name, "first", LONG);
            world.waits(name, "second", LONG);
        }
        var set = world.askingAll("S", LONG, LONG, names);
        world.run(set);
        for (int round = 0; round < 2; round++) {
            for (String name : names) {
                world.waits(name, "late " + round, LONG);
                assertThat(world.tries(name, "barges", TTL).answer).isInstanceOf(Outcome.Held.class);
                world.release(name, round == 0 ? "first" : "second");
            }
        }
        assertThat(world.table.standing(set)).isInstanceOf(Outcome.GrantedAll.class);
        world.run(world.releasingAll("S", names));
        assertThat(world.holders("k7")).containsExactly("late 0");
    }

    @Test
    void a_free_lock_that_a_set_waits_at_the_head_of_is_kept_for_it() {
        world.tries("b", "A", LONG);
        var set = world.askingAll("S", LONG, ofSeconds(5), "a", "b");
        world.run(set);
        assertThat(world.tries("a", "B", TTL).answer).isEqualTo(new Outcome.Held(Optional.empty()));
        var behind = world.waits("a", "C", LONG);
        assertThat(behind.answer).isEqualTo(new Outcome.Queued(Optional.empty()));
        assertThat(world.lock("a").orElseThrow().holders()).isEmpty();
        world.pass(ofSeconds(5));
        assertThat(world.table.standing(set)).isEqualTo(new Outcome.Ended(End.TIMED_OUT, Optional.empty()));
        assertThat(behind.holds()).isTrue();
        assertThat(world.queue("b")).isEmpty();
    }

    /** Parts of a set were left behind by whoever gave up or died while gathering it. */
    @Test
    void redisson_4456_and_1606_nothing_is_left_of_a_set_that_is_given_up_or_whose_owner_dies() {
        world.tries("k2", "A", LONG);
        var given = world.askingAll("B", LONG, LONG, "k1", "k2", "k3");
        world.run(given);
        var names = List.of(new LockName("k1"), new LockName("k2"), new LockName("k3"));
        assertThat(world.run(new Command.GiveUpAll(given.owner(), names, given.request())))
                .isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
        assertThat(world.run(given)).isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
        world.run(world.askingAll("C", TTL, LONG, "k1", "k2", "k3"));
        world.pass(TTL);
        assertThat(world.lock("k1")).isEmpty();
        assertThat(world.lock("k3")).isEmpty();
        assertThat(world.queue("k2")).isEmpty();
    }

    @Test
    void a_set_that_was_given_up_before_it_came_is_not_granted_when_it_comes() {
        var set = world.askingAll("A", TTL, LONG, "a", "b");
        world.run(new Command.GiveUpAll(set.owner(), List.of(new LockName("a"), new LockName("b")), set.request()));
        assertThat(world.run(set)).isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void a_set_is_released_one_by_one_or_together_and_its_request_is_over_with_the_last() {
        var set = world.askingAll("A", TTL, Duration.ZERO, "a", "b", "c");
        FencingToken token = ((Outcome.GrantedAll) world.run(set)).token();
        assertThat(world.release("a", "A")).isEqualTo(new Outcome.Released(token));
        assertThat(((Outcome.GrantedAll) world.run(set)).holds())
                .extracting(hold -> hold.name().value())
                .containsExactly("b", "c");
        var rest = world.releasingAll("A", "a", "b", "c");
        assertThat(world.run(rest)).isEqualTo(new Outcome.Released(token));
        assertThat(world.run(rest)).isEqualTo(new Outcome.Released(token));
        assertThat(world.run(set)).isEqualTo(new Outcome.Ended(End.RELEASED, Optional.of(token)));
        assertThat(world.run(world.releasingAll("A", "a", "b"))).isEqualTo(new Outcome.NotHeld(Optional.empty()));
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void to_give_up_a_set_that_was_granted_takes_nothing_away_even_if_a_part_was_released() {
        var set = world.askingAll("A", TTL, Duration.ZERO, "a", "b");
        world.run(set);
        world.release("a", "A");
        var giveUp = new Command.GiveUpAll(set.owner(), List.of(new LockName("a"), new LockName("b")), set.request());
        assertThat(world.run(giveUp)).isInstanceOf(Outcome.GrantedAll.class);
        assertThat(world.holders("b")).containsExactly("A");
    }

    @Test
    void one_lease_covers_the_whole_set() {
        var set = world.askingAll("A", TTL, Duration.ZERO, "a", "b");
        world.run(set);
        assertThat(world.table.leaseCount()).isEqualTo(1);
        world.pass(ofSeconds(6));
        world.renew("b", "A");
        world.pass(ofSeconds(6));
        assertThat(world.holders("a")).containsExactly("A");
        world.pass(ofSeconds(4));
        assertThat(world.isEmpty()).isTrue();
        assertThat(world.run(set)).isInstanceOf(Outcome.Ended.class);
    }

    @Test
    void locks_of_a_set_may_each_be_wanted_on_terms_of_their_own() {
        world.shares("config", "R", LONG);
        world.takes("slots", "P", 2, 3, LONG);
        var set = new Command.AcquireAll(
                new Owner.OneShot("A"),
                List.of(
                        new Want(new LockName("config"), Terms.SHARED),
                        new Want(new LockName("slots"), new Terms(new Mode.Permits(1, 3))),
                        new Want(new LockName("job"), Terms.PLAIN)),
                world.request(),
                TTL.toNanos(),
                0,
                "");
        assertThat(((Outcome.GrantedAll) world.run(set)).holds())
                .extracting(hold -> hold.terms().mode())
                .containsExactly(Mode.SHARED, Mode.EXCLUSIVE, new Mode.Permits(1, 3));
    }

    @Test
    void readers_behind_a_set_get_in_with_it_where_it_only_shares() {
        world.tries("b", "X", LONG);
        world.tries("a", "Y", LONG);
        var set = new Command.AcquireAll(
                new Owner.OneShot("S"),
                List.of(new Want(new LockName("a"), Terms.SHARED), new Want(new LockName("b"), Terms.PLAIN)),
                world.request(),
                LONG.toNanos(),
                LONG.toNanos(),
                "");
        world.run(set);
        var reader = world.waitsToShare("a", "R", LONG);
        world.release("a", "Y");
        assertThat(reader.waits()).as("it does not overtake the set").isTrue();
        world.release("b", "X");
        assertThat(world.holders("a")).containsExactly("S", "R");
    }

    @Test
    void a_session_asks_anew_for_its_set_and_is_refused_what_only_overlaps() {
        var client = world.session(LONG);
        var want = List.of(new Want(new LockName("a"), Terms.PLAIN), new Want(new LockName("b"), Terms.PLAIN));
        var first = new Command.AcquireAll(client.owner, want, client.request(), 0, 0, "");
        var again = new Command.AcquireAll(client.owner, want, client.request(), 0, 0, "");
        FencingToken token = ((Outcome.GrantedAll) world.run(first)).token();
        world.save();
        assertThat(((Outcome.GrantedAll) world.run(again)).token()).isEqualTo(token);
        var more = List.of(new Want(new LockName("b"), Terms.PLAIN), new Want(new LockName("c"), Terms.PLAIN));
        assertThat(world.run(new Command.AcquireAll(client.owner, more, client.request(), 0, 0, "")))
                .isEqualTo(new Outcome.PartOfSet(new LockName("b")));
        World other = world.restored();
        other.run(new Command.Release(client.owner, new LockName("a"), client.request(), Optional.empty()));
        other.run(new Command.Release(client.owner, new LockName("b"), client.request(), Optional.empty()));
        assertThat(other.run(again)).isEqualTo(new Outcome.Ended(End.RELEASED, Optional.of(token)));
        assertThat(client.tries("a").token()).as("one of them alone").isEqualTo(token.value());
        assertThat(world.run(new Command.Convert(
                        client.owner, new LockName("a"), client.request(), Optional.empty(), Mode.SHARED)))
                .isEqualTo(new Outcome.PartOfSet(new LockName("a")));
        assertThat(client.release("a")).isEqualTo(new Outcome.Released(token));
        assertThat(((Outcome.GrantedAll) world.run(again)).holds()).hasSize(1);
    }

    @Test
    void an_owner_that_has_one_of_the_locks_is_busy() {
        world.tries("b", "A", TTL);
        assertThat(world.run(world.askingAll("A", TTL, LONG, "a", "b"))).isInstanceOf(Outcome.OwnerBusy.class);
        assertThat(world.lock("a")).isEmpty();
    }

    @Test
    void a_set_counts_as_many_locks_as_it_has() {
        World small = World.raised(new Limits(99, 2, 3, 99, 99, 60_000_000_000L, 99, 1_000, 1 << 20));
        var client = small.session(TTL);
        client.tries("x");
        client.tries("y");
        var want = List.of(new Want(new LockName("a"), Terms.PLAIN), new Want(new LockName("b"), Terms.PLAIN));
        assertThat(small.run(new Command.AcquireAll(client.owner, want, client.request(), 0, 0, "")))
                .isEqualTo(new Outcome.LimitReached("locks of one session", 3));
        small.tries("b", "A", LONG);
        small.waits("b", "B", LONG);
        small.waits("b", "C", LONG);
        assertThat(small.run(small.askingAll("S", TTL, LONG, "a", "b")))
                .isEqualTo(new Outcome.LimitReached("waiters of one lock", 2));
        assertThat(small.lock("a")).isEmpty();
    }

    @Test
    void a_set_has_2_to_128_locks_each_once() {
        assertThatThrownBy(() -> world.askingAll("A", TTL, TTL, "a")).hasMessageContaining("set of 1");
        assertThatThrownBy(() -> world.askingAll("A", TTL, TTL, "a", "b", "a"))
                .hasMessageContaining("a is in the set twice");
        String[] many = IntStream.range(0, 129).mapToObj(i -> "k" + i).toArray(String[]::new);
        assertThatThrownBy(() -> world.askingAll("A", TTL, TTL, many)).hasMessageContaining("2 to 128");
        assertThatThrownBy(() -> world.releasingAll("A")).hasMessageContaining("1 to 128");
    }

    @Test
    void a_snapshot_has_one_record_of_a_set_that_waits_and_one_of_each_hold() {
        world.tries("b", "X", LONG);
        var waiting = world.askingAll("W", LONG, LONG, "a", "b");
        var held = world.askingAll("H", TTL, Duration.ZERO, "c", "d");
        world.run(waiting);
        FencingToken token = ((Outcome.GrantedAll) world.run(held)).token();
        assertThat(world.save().present())
                .filteredOn(Image.OfWaiter.class::isInstance)
                .hasSize(1);
        World other = world.restored();
        assertThat(other.table.leaseCount()).isEqualTo(world.table.leaseCount());
        other.pass(ofSeconds(5));
        other.renew("d", "H");
        assertThat(other.save().present())
                .as("one lease, written with both")
                .filteredOn(Image.OfLock.class::isInstance)
                .hasSize(2);
        other.release("c", "H");
        assertThat(((Outcome.GrantedAll) other.run(held)).token()).isEqualTo(token);
        other.release("b", "X");
        assertThat(other.table.standing(waiting)).isInstanceOf(Outcome.GrantedAll.class);
    }
}
