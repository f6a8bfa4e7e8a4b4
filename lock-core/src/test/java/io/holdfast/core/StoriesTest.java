package io.holdfast.core;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a lock service must get right, told as stories. Those that begin with a system and a number happened there. */
class StoriesTest {
    private static final Duration TTL = ofSeconds(10);

    private final World world = new World();

    @Test
    void waiters_get_the_lock_in_the_order_in_which_they_came_each_with_a_greater_token() {
        var a = world.tries("k", "A", TTL);
        var b = world.waits("k", "B", TTL);
        var c = world.waits("k", "C", TTL);
        var d = world.waits("k", "D", TTL);
        long tokenOfA = a.token();

        world.release("k", "A");
        assertThat(b.holds()).isTrue();
        assertThat(b.token()).isGreaterThan(tokenOfA);
        assertThat(b.token() / FencingToken.PER_ENTRY).isEqualTo(world.index());
        long tokenOfB = b.token();
        world.release("k", "B");
        assertThat(c.token()).isGreaterThan(tokenOfB);
        assertThat(d.waits()).isTrue();
    }

    @Test
    void the_next_waiter_gets_a_greater_token_when_a_lease_runs_out_and_the_old_holder_can_do_no_harm() {
        var a = world.tries("k", "A", TTL);
        long stale = a.token();
        world.passUnnoticed(ofSeconds(5));
        var b = world.waits("k", "B", TTL);

        world.pass(ofSeconds(5));

        assertThat(b.token()).isGreaterThan(stale);
        assertThat(world.release("k", "A")).isInstanceOf(Outcome.NotHeld.class);
        assertThat(world.release("k", "A", stale)).isInstanceOf(Outcome.NotHeld.class);
        assertThat(world.renew("k", "A")).isInstanceOf(Outcome.NotHeld.class);
        assertThat(a.again()).isEqualTo(new Outcome.Ended(End.EXPIRED, Optional.of(new FencingToken(stale))));
        assertThat(b.holds()).isTrue();
    }

    @Test
    void a_lease_ends_exactly_when_its_ttl_has_passed_since_it_was_last_renewed() {
        world.tries("k", "A", TTL);
        world.pass(ofSeconds(6));
        assertThat(world.renew("k", "A")).isInstanceOf(Outcome.Renewed.class);
        world.pass(TTL.minusNanos(1));
        assertThat(world.lock("k")).isPresent();
        world.pass(Duration.ofNanos(1));
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void etcd_11456_a_waiter_whose_own_lease_ran_out_is_not_granted_the_lock() {
        world.tries("k", "A", ofSeconds(20));
        var b = world.waits("k", "B", ofSeconds(2));
        world.pass(ofSeconds(2));
        assertThat(b.stands()).isEqualTo(new Outcome.Ended(End.EXPIRED, Optional.empty()));
        world.release("k", "A");
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void etcd_11456_nor_if_its_lease_ends_with_the_very_entry_that_frees_the_lock() {
        world.tries("k", "A", ofSeconds(20));
        var b = world.waits("k", "B", ofSeconds(2));
        var c = world.waits("k", "C", ofSeconds(20));
        world.passUnnoticed(ofSeconds(2));
        world.release("k", "A");
        assertThat(b.holds()).isFalse();
        assertThat(c.holds()).isTrue();
    }

    @Test
    void etcd_9921_a_waiter_that_asks_on_outlives_its_ttl_many_times_and_is_granted_with_its_lease_fresh() {
        world.tries("k", "A", ofSeconds(31));
        var b = world.waits("k", "B", ofSeconds(3));
        for (int i = 0; i < 30; i++) {
            world.pass(ofSeconds(1));
            assertThat(b.again()).isInstanceOf(Outcome.Queued.class);
        }
        world.pass(ofSeconds(1));
        var hold = ((Outcome.Granted) b.stands()).hold();
        assertThat(Duration.ofNanos(hold.remainingNanos())).isEqualTo(ofSeconds(2));
    }

    @Test
    void jetcd_291_a_waiter_that_timed_out_is_not_granted_later() {
        world.tries("k", "A", ofSeconds(60));
        var b = world.asks("k", "B", ofSeconds(60), ofSeconds(2));
        var c = world.waits("k", "C", ofSeconds(60));
        world.pass(ofSeconds(2));
        assertThat(b.stands()).isEqualTo(new Outcome.Ended(End.TIMED_OUT, Optional.empty()));
        assertThat(world.lock("k").orElseThrow().waiterCount()).isEqualTo(1);
        world.release("k", "A");
        assertThat(c.holds()).isTrue();
    }

    @Test
    void jetcd_291_a_waiter_that_gives_up_either_is_gone_or_is_told_that_it_holds() {
        world.tries("k", "A", TTL);
        var b = world.waits("k", "B", TTL);
        var c = world.waits("k", "C", TTL);
        assertThat(b.giveUp()).isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
        world.release("k", "A");
        assertThat(c.giveUp()).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void an_acquire_that_arrives_after_it_was_given_up_is_not_granted() {
        var template = world.tries("other", "B", TTL).command;
        var late = new Command.Acquire(
                template.owner(),
                new LockName("k"),
                new Request.Identified(new RequestId(9, 9), 0),
                TTL.toNanos(),
                0,
                "");
        world.run(new Command.GiveUp(late.owner(), late.name(), late.request()));
        assertThat(world.run(late)).isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
        assertThat(world.lock("k")).isEmpty();
    }

    @Test
    void ratis_915_a_duplicate_that_arrives_late_never_takes_the_lock_again_however_late() {
        var a = world.tries("k", "A", TTL);
        long token = a.token();
        var release = world.releasing("k", "A");
        world.run(release);
        var ended = new Outcome.Ended(End.RELEASED, Optional.of(new FencingToken(token)));
        assertThat(a.again()).isEqualTo(ended);
        world.pass(ofSeconds(60));
        assertThat(a.again()).isEqualTo(ended);
        world.pass(Duration.ofNanos(1)); // forgotten from here on, and refused for that reason
        assertThat(a.again()).isEqualTo(new Outcome.TooLate());
        assertThat(world.isEmpty()).isTrue();

        var next = world.tries("k", "A", TTL);
        assertThat(world.run(release)).isEqualTo(new Outcome.TooLate());
        assertThat(next.holds()).isTrue();
    }

    @Test
    void a_retry_gets_the_same_grant_and_counts_as_a_renewal() {
        var a = world.tries("k", "A", TTL);
        long token = a.token();
        world.pass(ofSeconds(6));
        assertThat(a.again()).isInstanceOf(Outcome.Granted.class);
        world.pass(ofSeconds(6));
        assertThat(a.token()).isEqualTo(token);
    }

    @Test
    void kubernetes_22775_two_processes_that_share_an_owner_name_do_not_both_believe() {
        var one = world.tries("k", "host", TTL);
        var other = world.tries("k", "host", TTL);
        assertThat(one.holds()).isTrue();
        assertThat(other.answer).isInstanceOf(Outcome.OwnerBusy.class);
        assertThat(other.again()).isInstanceOf(Outcome.OwnerBusy.class);
    }

    @Test
    void shedlock_132_two_requests_that_were_stuck_on_the_way_are_not_both_granted() {
        var a = world.tries("k", "A", ofSeconds(5));
        world.passUnnoticed(ofSeconds(4));
        var b = world.tries("k", "B", ofSeconds(5));
        assertThat(a.holds()).isTrue();
        assertThat(b.holds()).isFalse();
    }

    @Test
    void kubernetes_114872_a_waiters_own_ttl_does_not_shorten_the_holders() {
        world.tries("k", "A", ofSeconds(30));
        var b = world.tries("k", "B", ofSeconds(3));
        world.pass(ofSeconds(29));
        assertThat(b.holds()).isFalse();
        assertThat(world.lock("k").orElseThrow().holders().get(0).owner()).isEqualTo(new Owner.OneShot("A"));
    }

    @Test
    void etcd_6278_names_are_byte_exact_and_a_prefix_lists_exactly_what_begins_with_it() {
        List<String> names = List.of("xy", "xy/", "xy/1", "x", "a-b/c", "a/b-c", "é", "e\u0301");
        names.forEach(name -> assertThat(world.tries(name, "A", TTL).holds()).isTrue());
        assertThat(world.table.locks("xy/", "", 10, 0))
                .extracting(lock -> lock.name().value())
                .containsExactly("xy/", "xy/1");
        assertThat(world.table.locks("", "a/b-c", 2, 0))
                .extracting(lock -> lock.name().value())
                .containsExactly("e\u0301", "x");
    }

    @Test
    void a_session_takes_all_it_holds_and_waits_for_with_it() {
        var session = new SessionId(1, 1);
        var owner = new Owner.OfSession(session);
        world.run(new Command.OpenSession(session, 0, TTL.toNanos(), "worker"));
        acquire(owner, "k1", 1);
        acquire(owner, "k2", 2);
        world.tries("k3", "A", ofSeconds(60));
        acquire(owner, "k3", 3);
        var next = world.waits("k1", "B", ofSeconds(60));

        world.pass(TTL);

        assertThat(next.holds()).isTrue();
        assertThat(world.lock("k2")).isEmpty();
        assertThat(world.lock("k3").orElseThrow().waiterCount()).isZero();
        assertThat(world.run(new Command.RenewSessions(List.of(session))))
                .isEqualTo(new Outcome.SessionsRenewed(List.of(session)));
    }

    @Test
    void a_closed_session_is_not_opened_again_by_a_late_duplicate() {
        var session = new SessionId(1, 1);
        var open = new Command.OpenSession(session, 0, TTL.toNanos(), "");
        world.run(open);
        world.run(new Command.CloseSession(session));
        assertThat(world.run(open)).isEqualTo(new Outcome.NoSuchSession());
        world.pass(ofSeconds(61));
        assertThat(world.run(open)).isEqualTo(new Outcome.TooLate());
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void a_numbered_request_that_its_client_saw_answered_is_not_carried_out_again() {
        var session = new SessionId(1, 1);
        var owner = new Owner.OfSession(session);
        world.run(new Command.OpenSession(session, 0, Duration.ofMinutes(10).toNanos(), ""));
        acquire(owner, "k", 1);
        world.run(new Command.Release(owner, new LockName("k"), new Request.Numbered(2, 1), Optional.empty()));
        assertThat(acquire(owner, "k", 1)).isEqualTo(new Outcome.AlreadyAnswered());
        assertThat(world.lock("k")).isEmpty();
    }

    @Test
    void etcd_9360_a_mass_expiry_is_spread_over_entries_and_nobody_due_is_granted_meanwhile() {
        World small = new World(new Limits(1_000, 100, 100, 10, 1_000, 60_000_000_000L, 10, 1_000, 1 << 20));
        IntStream.range(0, 95).forEach(i -> small.tries("k" + i, "A", ofSeconds(1)));
        var waiter = small.waits("k94", "B", ofSeconds(5));
        small.pass(ofSeconds(1));
        assertThat(small.table.leaseCount()).isEqualTo(86);
        assertThat(small.renew("k93", "A")).isInstanceOf(Outcome.NotHeld.class); // due counts as ended
        for (int i = 0; i < 9; i++) {
            small.tick();
        }
        assertThat(waiter.holds()).isTrue();
        assertThat(small.table.leaseCount()).isEqualTo(1);
    }

    @Test
    void hazelcast_26526_names_that_nobody_holds_take_no_memory() {
        World small = new World(new Limits(1_000, 100, 100, 10, 50, 1_000_000_000L, 1_000, 1_000, 1 << 20));
        for (int i = 0; i < 10_000; i++) {
            small.tries("k" + i, "A", TTL);
            small.release("k" + i, "A");
        }
        assertThat(small.isEmpty()).isTrue();
        assertThat(small.table.nextDeadlineNanos()).isEmpty();
    }

    @Test
    void an_index_that_does_not_grow_is_refused_and_changes_nothing() {
        world.tries("k", "A", TTL);
        String before = world.table.digest();
        assertThatThrownBy(() -> world.table.apply(new Position(world.index(), 99), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(world.table.digest()).isEqualTo(before);
    }

    @Test
    void lease_time_never_falls_whatever_a_leader_stamps() {
        world.pass(ofMillis(500));
        world.table.apply(new Position(world.index() + 1, 1), List.of());
        assertThat(world.table.clockNanos()).isEqualTo(ofMillis(500).toNanos());
    }

    private Outcome acquire(Owner owner, String name, long number) {
        return world.run(new Command.Acquire(
                owner, new LockName(name), new Request.Numbered(number, number - 1), 0, Bounds.WAIT_FOREVER, ""));
    }
}
