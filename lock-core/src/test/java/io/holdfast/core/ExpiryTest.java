package io.holdfast.core;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Leases in lease time: how they begin, are renewed, and end. */
class ExpiryTest {
    private static final Duration TTL = ofSeconds(10);

    private final World world = new World();

    @Test
    void etcd_9395_a_lease_ends_when_it_was_due_however_often_leader_and_node_change_meanwhile() {
        var a = world.tries("k", "A", ofSeconds(60));
        var now = world;
        Duration left = ofSeconds(60);
        for (int leader = 1; leader <= 19; leader++) {
            now = now.restarted();
            now.pass(ofSeconds(3));
            now.tick(); // a new leader begins where the clock stands
            HoldView hold = now.lock("k").orElseThrow().holders().get(0);
            left = left.minusSeconds(3);
            assertThat(ofNanos(hold.remainingNanos())).isEqualTo(left);
            assertThat(hold.token().value()).isEqualTo(a.token());
        }
        now.pass(ofSeconds(3).minusNanos(1));
        assertThat(now.lock("k")).isPresent();
        now.pass(ofNanos(1));
        assertThat(now.isEmpty()).isTrue();
    }

    @Test
    void etcd_17642_what_is_left_of_a_lease_is_never_negative_nor_more_than_its_ttl_swept_or_not() {
        World slow = new World(new Limits(100, 100, 100, 100, 100, 60_000_000_000L, 1, 1_000, 1 << 20));
        slow.tries("first", "A", ofSeconds(1)); // swept before the others
        slow.tries("k", "B", ofSeconds(1));
        var client = slow.session(ofSeconds(1));
        var waiter = slow.asks("k", "C", ofSeconds(60), ofMillis(500));
        slow.pass(ofSeconds(30));
        assertThat(slow.lock("first")).isPresent(); // the batch went to the waiter, which was due first
        assertThat(slow.lock("first").orElseThrow().holders().get(0).remainingNanos())
                .isZero();
        assertThat(slow.lock("k").orElseThrow().holders().get(0).remainingNanos())
                .isZero();
        assertThat(slow.table.session(client.id).orElseThrow().remainingNanos()).isZero();
        assertThat(waiter.stands()).isEqualTo(new Outcome.Ended(End.TIMED_OUT, Optional.empty()));
        for (int i = 0; i < 3; i++) {
            slow.tick();
        }
        assertThat(slow.isEmpty()).isTrue();
    }

    @Test
    void etcd_9374_a_ttl_is_what_it_says_up_to_24_hours_and_refused_beyond() {
        world.tries("k", "A", ofHours(24));
        world.pass(ofHours(24).minusNanos(1));
        assertThat(world.holder("k")).contains("A");
        world.pass(ofNanos(1));
        assertThat(world.isEmpty()).isTrue();

        for (long nanos : new long[] {Bounds.MAX_TTL_NANOS + 1, Bounds.MIN_TTL_NANOS - 1, 0, -1, Long.MAX_VALUE}) {
            Duration ttl = ofNanos(nanos);
            assertThatThrownBy(() -> world.tries("k", "A", ttl)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> world.session(ttl)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void redisson_2172_a_wait_is_never_negative_and_the_longest_never_wraps() {
        world.tries("k", "A", ofHours(24));
        assertThatThrownBy(() -> world.asks("k", "B", TTL, ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        world.pass(ofSeconds(5));
        var longest = world.asks("k", "C", TTL, ofNanos(Long.MAX_VALUE - 1)); // would end after the end of time
        world.pass(ofSeconds(5));
        assertThat(longest.waits()).isTrue();
        assertThat(world.lock("k").orElseThrow().waiters().get(0).waitRemainingNanos())
                .isEqualTo(Bounds.WAIT_FOREVER);
    }

    @Test
    void node_redlock_296_a_grant_after_a_long_wait_has_what_the_last_ask_was_promised() {
        world.tries("k", "A", ofSeconds(60));
        var b = world.waits("k", "B", TTL);
        world.pass(ofSeconds(6));
        b.again();
        world.pass(ofSeconds(5));
        world.release("k", "A");
        // No more (a grant is no sign of life, I4) and no less (its client counts from that ask, I3).
        assertThat(ofNanos(b.hold().remainingNanos())).isEqualTo(ofSeconds(5));
        world.pass(ofSeconds(5));
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void python_etcd_181_a_waiter_with_a_short_lease_ends_once_and_leaves_nothing_due() {
        world.tries("k", "A", TTL);
        var b = world.waits("k", "B", ofSeconds(5));
        world.pass(ofSeconds(5));
        assertThat(world.events()).containsExactly(new Event.LeftQueue(new LockName("k"), owner("B"), "", End.EXPIRED));
        assertThat(world.table.nextDeadlineNanos()).hasValue(TTL.toNanos()); // no tick is wanted before
        world.tick();
        assertThat(world.events()).isEmpty();
        world.pass(ofSeconds(5));
        assertThat(b.again()).isEqualTo(new Outcome.Ended(End.EXPIRED, Optional.empty()));
        assertThat(world.tries("k", "C", TTL).holds()).isTrue();
    }

    @Test
    void hazelcast_1348_whoever_died_the_next_that_lives_gets_the_lock() {
        world.tries("k", "dead holder", ofSeconds(2));
        world.waits("k", "dead waiter", ofSeconds(2));
        var alive = world.waits("k", "alive", ofSeconds(20));
        world.waits("k", "dead waiter behind", ofSeconds(2));
        world.pass(ofSeconds(2));
        assertThat(alive.holds()).isTrue();
        assertThat(world.queue("k")).isEmpty();
    }

    @Test
    void curator_595_the_locks_of_a_session_that_died_go_to_those_who_wait() {
        var client = world.session(ofSeconds(2));
        client.tries("k1");
        client.tries("k2");
        var one = world.waits("k1", "A", TTL);
        var two = world.waits("k2", "B", TTL);
        world.pass(ofSeconds(2));
        assertThat(one.holds()).isTrue();
        assertThat(two.holds()).isTrue();
    }

    @Test
    void tristanls_1_a_late_renewal_revives_nothing_and_lengthens_nobody_elses_lease() {
        var a = world.tries("k", "A", TTL);
        long token = a.token();
        var b = world.waits("k", "B", ofSeconds(30));
        world.release("k", "A");
        world.pass(ofSeconds(1));
        assertThat(world.renew("k", "A", ofHours(1))).isInstanceOf(Outcome.NotHeld.class);
        assertThat(ofNanos(b.hold().remainingNanos())).isEqualTo(ofSeconds(29));

        // Nor does one that names the token of an earlier hold of the same owner touch the present one.
        world.release("k", "B");
        var again = world.tries("k", "A", TTL);
        var late = new Command.RenewHold(
                new Owner.OneShot("A"),
                new LockName("k"),
                Optional.of(new FencingToken(token)),
                ofHours(1).toNanos());
        assertThat(world.run(late)).isInstanceOf(Outcome.NotHeld.class);
        assertThat(ofNanos(again.hold().remainingNanos())).isEqualTo(TTL);
    }

    @Test
    void a_renewal_never_shortens_a_lease_even_with_a_shorter_ttl() {
        var a = world.tries("k", "A", TTL);
        assertThat(world.renew("k", "A", ofSeconds(1))).isInstanceOf(Outcome.Renewed.class);
        assertThat(ofNanos(a.hold().remainingNanos())).isEqualTo(TTL);
        assertThat(ofNanos(a.hold().ttlNanos())).isEqualTo(ofSeconds(1));
        world.pass(TTL.minusMillis(1));
        world.renew("k", "A");
        assertThat(ofNanos(a.hold().remainingNanos())).isEqualTo(ofSeconds(1));
        world.renew("k", "A", ofMinutes(1));
        assertThat(ofNanos(a.hold().remainingNanos())).isEqualTo(ofMinutes(1));
    }

    @Test
    void what_is_due_but_not_swept_yet_counts_as_ended_for_every_command() {
        World slow = new World(new Limits(100, 100, 100, 100, 100, 60_000_000_000L, 1, 1_000, 1 << 20));
        for (String name : List.of("first", "k1", "k2", "k3", "k4")) {
            slow.tries(name, "A", ofSeconds(1));
        }
        var waiter = slow.waits("k4", "W", ofSeconds(1));
        var client = slow.session(ofSeconds(1));
        var behind = slow.waits("k4", "B", ofSeconds(9));
        slow.passUnnoticed(ofSeconds(1));
        // Each of these entries sweeps one other thing first.
        assertThat(slow.renew("k4", "A")).isInstanceOf(Outcome.NotHeld.class);
        assertThat(waiter.stands()).isEqualTo(new Outcome.Ended(End.EXPIRED, Optional.empty()));
        assertThat(behind.holds()).isTrue();
        assertThat(slow.release("k3", "A")).isEqualTo(new Outcome.NotHeld(Optional.empty()));
        assertThat(client.renew()).isEqualTo(new Outcome.SessionsRenewed(List.of(client.id)));
        assertThat(slow.lock("k2")).isEmpty(); // swept by now
    }

    private static Owner owner(String id) {
        return new Owner.OneShot(id);
    }
}
