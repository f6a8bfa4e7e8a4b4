package io.holdfast.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The pause between an expiry and the next grant, for those who ask for one. */
class LockDelayTest {
    private static final Duration TTL = ofSeconds(10);
    private static final Duration LONG = ofSeconds(1_000);
    private static final Terms DELAYED =
            new Terms(Mode.EXCLUSIVE, "", ofSeconds(5).toNanos());

    private final World world = World.raised();

    @Test
    void after_an_expiry_nobody_gets_the_lock_for_a_while_and_then_the_next_does() {
        world.triesOn(DELAYED, "k", "A", TTL);
        var next = world.waits("k", "B", LONG);
        world.pass(TTL);
        assertThat(world.holders("k")).isEmpty();
        assertThat(next.again()).isEqualTo(new Outcome.Queued(Optional.empty()));
        assertThat(world.tries("k", "C", TTL).answer).isEqualTo(new Outcome.Held(Optional.empty()));
        assertThat(world.lock("k").orElseThrow().delayRemainingNanos())
                .isEqualTo(ofSeconds(5).toNanos());
        assertThat(world.table.nextDeadlineNanos()).hasValue(ofSeconds(15).toNanos());
        world.pass(ofSeconds(5));
        assertThat(next.holds()).isTrue();
        assertThat(next.hold().logIndex()).isEqualTo(world.index());
        assertThat(world.lock("k").orElseThrow().delayRemainingNanos()).isZero();
    }

    @Test
    void after_a_release_there_is_no_pause_nor_after_a_session_was_closed() {
        world.triesOn(DELAYED, "k", "A", TTL);
        var next = world.waits("k", "B", LONG);
        world.release("k", "A");
        assertThat(next.holds()).isTrue();
        var client = world.session(TTL);
        client.asks("l", Duration.ZERO, DELAYED);
        client.close();
        assertThat(world.lock("l")).isEmpty();
    }

    @Test
    void a_lock_that_keeps_a_pause_and_nothing_else_is_forgotten_with_it() {
        world.triesOn(DELAYED, "k", "A", TTL);
        world.pass(TTL);
        assertThat(world.lock("k")).isPresent();
        assertThat(world.table.leaseCount()).isZero();
        world.pass(ofSeconds(5));
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void a_hold_that_was_waited_for_keeps_the_delay_that_was_asked_for() {
        world.tries("k", "A", LONG);
        world.waitsOn(DELAYED, "k", "B", TTL);
        world.release("k", "A");
        world.pass(TTL);
        assertThat(world.lock("k").orElseThrow().delayRemainingNanos()).isPositive();
    }

    @Test
    void a_conversion_keeps_it() {
        world.triesOn(DELAYED, "k", "A", TTL);
        world.convert("k", "A", Mode.SHARED);
        world.pass(TTL);
        assertThat(world.lock("k").orElseThrow().delayRemainingNanos()).isPositive();
    }

    @Test
    void of_several_delays_the_longest_counts() {
        world.triesOn(new Terms(Mode.SHARED, "", ofSeconds(9).toNanos()), "k", "A", ofSeconds(10));
        world.triesOn(new Terms(Mode.SHARED, "", ofSeconds(2).toNanos()), "k", "B", ofSeconds(11));
        world.triesOn(new Terms(Mode.SHARED, "", ofSeconds(9).toNanos()), "k", "C", ofSeconds(12));
        world.pass(ofSeconds(10));
        world.pass(ofSeconds(1));
        assertThat(world.lock("k").orElseThrow().delayRemainingNanos())
                .isEqualTo(ofSeconds(8).toNanos());
        world.save();
        world.pass(ofSeconds(1));
        assertThat(world.lock("k").orElseThrow().delayRemainingNanos())
                .isEqualTo(ofSeconds(9).toNanos());
        assertThat(world.restored().lock("k")).isEqualTo(world.lock("k"));
        assertThat(world.holders("k")).isEmpty();
    }

    @Test
    void while_readers_still_share_a_lock_a_pause_keeps_out_more_of_them() {
        world.triesOn(new Terms(Mode.SHARED, "", ofSeconds(5).toNanos()), "k", "A", TTL);
        world.shares("k", "B", LONG);
        world.pass(TTL);
        assertThat(world.shares("k", "C", TTL).answer).isInstanceOf(Outcome.Held.class);
        var waits = world.waitsToShare("k", "D", LONG);
        world.pass(ofSeconds(5));
        assertThat(waits.holds()).isTrue();
    }

    @Test
    void a_pause_that_is_over_but_not_yet_swept_keeps_nobody_out() {
        World small = World.raised(new Limits(99, 99, 99, 99, 99, 60_000_000_000L, 1, 1_000, 1 << 20));
        small.triesOn(DELAYED, "k", "A", TTL);
        small.tries("other", "X", ofSeconds(14));
        small.pass(TTL);
        small.passUnnoticed(ofSeconds(5));
        assertThat(small.tries("k", "B", TTL).answer).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void a_set_waits_for_the_pause_of_each_of_its_locks() {
        world.triesOn(DELAYED, "b", "A", TTL);
        var set = world.askingAll("S", LONG, LONG, "a", "b");
        world.run(set);
        world.pass(TTL);
        assertThat(world.table.standing(set)).isEqualTo(new Outcome.Queued(Optional.empty()));
        world.pass(ofSeconds(5));
        assertThat(world.table.standing(set)).isInstanceOf(Outcome.GrantedAll.class);
    }

    @Test
    void a_semaphore_stays_one_of_its_capacity_while_it_pauses() {
        world.triesOn(new Terms(new Mode.Permits(1, 3), "", ofSeconds(5).toNanos()), "s", "A", TTL);
        world.pass(TTL);
        assertThat(world.tries("s", "B", TTL).answer).isEqualTo(new Outcome.OtherKind(new LockName("s"), 3));
        assertThat(world.takes("s", "B", 1, 3, TTL).answer).isInstanceOf(Outcome.Held.class);
    }

    @Test
    void a_pause_outlives_a_restart() {
        world.triesOn(DELAYED, "k", "A", TTL);
        var next = world.waits("k", "B", LONG);
        world.pass(TTL);
        World other = world.restored();
        assertThat(other.lock("k")).isEqualTo(world.lock("k"));
        assertThat(other.save().present()).isEmpty();
        other.pass(ofSeconds(5));
        assertThat(other.save().gone()).contains(new ImageKey.OfDelay(new LockName("k")));
        assertThat(other.holders("k")).containsExactly(next.command.owner().toString());
    }

    @Test
    void a_delay_is_0_to_1_h() {
        assertThat(Bounds.lockDelayMillis(3_600_000)).isEmpty();
        assertThat(Bounds.lockDelayMillis(3_600_001).orElseThrow().message()).contains("lock_delay", "0 to 1 h");
        assertThat(Bounds.lockDelayMillis(-1)).isPresent();
        assertThatThrownBy(() -> new Terms(Mode.SHARED, "", -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Terms(Mode.SHARED, "", Bounds.MAX_LOCK_DELAY_NANOS + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
