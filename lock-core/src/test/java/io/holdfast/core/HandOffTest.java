package io.holdfast.core;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Passing a lock on: nobody gets in between, and the old token is dead. */
class HandOffTest {
    private static final Duration TTL = ofSeconds(10);
    private static final LockName K = new LockName("k");
    private static final Owner A = new Owner.OneShot("A");
    private static final Owner B = new Owner.OneShot("B");

    private final World world = World.raised();

    @Test
    void the_new_holder_has_a_new_token_and_the_old_one_is_dead() {
        var a = world.tries("k", "A", TTL);
        var before = new FencingToken(a.token());
        world.waits("k", "C", TTL);
        var answer = (Outcome.HandedOff) world.run(world.handingOff("k", "A", "B", TTL));
        assertThat(answer.token().value()).isGreaterThan(before.value());
        assertThat(world.events())
                .containsExactly(new Event.HandedOff(K, A, "", before, B, "", answer.token(), Mode.EXCLUSIVE, ""));
        assertThat(world.holder("k")).contains("B");
        assertThat(world.queue("k")).containsExactly("C");
        assertThat(world.check("k", before.value())).isEqualTo(new TokenCheck.Stale(answer.token()));
        assertThat(a.again()).isEqualTo(new Outcome.Ended(End.HANDED_OFF, Optional.of(before)));
        assertThat(world.release("k", "A")).isInstanceOf(Outcome.NotHeld.class);
    }

    @Test
    void who_waits_for_it_finds_itself_granted_ahead_of_the_queue() {
        world.tries("k", "A", TTL);
        var c = world.waits("k", "C", TTL);
        var b = world.waits("k", "B", TTL);
        world.run(world.handingOff("k", "A", "B", TTL));
        assertThat(b.again()).isInstanceOf(Outcome.Granted.class);
        assertThat(world.queue("k")).containsExactly("C");
        world.release("k", "B");
        assertThat(c.holds()).isTrue();
    }

    @Test
    void who_has_not_asked_finds_it_by_its_first_acquire_and_by_no_second() {
        world.tries("k", "A", TTL);
        var answer = (Outcome.HandedOff) world.run(world.handingOff("k", "A", "B", TTL));
        var first = world.tries("k", "B", TTL);
        assertThat(first.hold().token()).isEqualTo(answer.token());
        assertThat(first.again()).isEqualTo(new Outcome.Granted(first.hold()));
        assertThat(world.tries("k", "B", TTL).answer).isEqualTo(new Outcome.OwnerBusy(Optional.of(first.hold())));
    }

    @Test
    void who_comes_for_it_in_another_mode_is_refused() {
        world.tries("k", "A", TTL);
        world.run(world.handingOff("k", "A", "B", TTL));
        assertThat(world.shares("k", "B", TTL).answer).isInstanceOf(Outcome.OtherMode.class);
        assertThat(world.tries("k", "B", TTL).holds()).isTrue();
    }

    @Test
    void its_lease_is_the_new_holders_own_and_runs_out_if_that_never_comes() {
        world.tries("k", "A", TTL);
        world.run(world.handingOff("k", "A", "B", ofSeconds(3)));
        world.pass(ofSeconds(3));
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void the_lease_of_who_waited_is_not_renewed_by_it() {
        world.tries("k", "A", TTL);
        world.waits("k", "B", TTL);
        world.pass(ofSeconds(9));
        world.run(world.handingOff("k", "A", "B", TTL));
        assertThat(world.lock("k").orElseThrow().holders().get(0).remainingNanos())
                .isEqualTo(ofSeconds(1).toNanos());
    }

    @Test
    void a_retry_has_no_second_effect_even_when_the_lock_has_come_back() {
        world.tries("k", "A", TTL);
        var handingOff = world.handingOff("k", "A", "B", TTL);
        var answer = world.run(handingOff);
        assertThat(world.run(handingOff)).isEqualTo(answer);
        world.run(world.handingOff("k", "B", "A", TTL));
        assertThat(world.run(handingOff)).isEqualTo(answer);
        assertThat(world.holder("k")).contains("A");
    }

    @Test
    void contenders_of_the_same_entry_do_not_get_in_between() {
        world.tries("k", "A", TTL);
        world.runTogether(List.of(
                world.asking("k", "C", TTL, ZERO),
                world.handingOff("k", "A", "B", TTL),
                world.asking("k", "D", TTL, World.FOREVER),
                world.releasing("k", "A"),
                world.asking("k", "E", TTL, ZERO)));
        assertThat(world.holder("k")).contains("B");
        assertThat(world.queue("k")).containsExactly("D");
    }

    @Test
    void a_session_passes_on_to_a_session_that_lives_and_to_no_other() {
        var one = world.session(TTL);
        var two = world.session(TTL);
        one.tries("k");
        var gone = new Owner.OfSession(new SessionId(8, 8));
        assertThat(world.run(world.handingOff("k", one.owner, gone, ZERO))).isEqualTo(new Outcome.NoSuchTarget());
        assertThat(world.run(world.handingOff("k", one.owner, two.owner, ZERO))).isInstanceOf(Outcome.HandedOff.class);
        assertThat(two.tries("k").holds()).isTrue();
        one.close();
        assertThat(world.holders("k")).containsExactly(two.owner.toString());
    }

    @Test
    void a_session_that_is_due_is_no_target_swept_or_not() {
        var tight = World.raised(new Limits(100, 100, 100, 100, 100, TTL.toNanos(), 1, 1_000, 1 << 20));
        var first = tight.session(ofSeconds(1));
        var two = tight.session(ofSeconds(1));
        tight.tries("k", "A", TTL);
        tight.passUnnoticed(ofSeconds(1));
        assertThat(tight.run(tight.handingOff("k", A, two.owner, ZERO))).isEqualTo(new Outcome.NoSuchTarget());
        assertThat(first.lives()).isFalse();
    }

    @Test
    void who_has_a_part_in_the_lock_already_is_busy() {
        world.shares("k", "A", TTL);
        world.shares("k", "B", TTL);
        assertThat(world.run(world.handingOff("k", "A", "B", TTL))).isEqualTo(new Outcome.TargetBusy());
        assertThat(world.run(world.handingOff("k", "A", "A", TTL))).isEqualTo(new Outcome.TargetBusy());
        world.waits("k", "C", TTL);
        assertThat(world.run(world.handingOff("k", "A", "C", TTL)))
                .as("it waits to be alone")
                .isEqualTo(new Outcome.TargetBusy());
        assertThat(world.holders("k")).containsExactly("A", "B");
    }

    @Test
    void a_revocation_does_not_follow_to_the_new_holder() {
        var a = world.tries("k", "A", TTL);
        world.run(world.revoking("k", a.token(), ofSeconds(5)));
        world.run(world.handingOff("k", "A", "B", TTL));
        world.pass(ofSeconds(5));
        assertThat(world.holder("k")).contains("B");
    }

    @Test
    void one_of_a_set_may_be_passed_on() {
        world.run(world.askingAll("A", TTL, ZERO, "k", "l"));
        world.run(world.handingOff("k", "A", "B", TTL));
        world.pass(ofSeconds(5));
        world.renew("l", "A");
        world.pass(ofSeconds(5));
        assertThat(world.lock("k")).isEmpty();
        assertThat(world.holder("l")).contains("A");
    }

    @Test
    void a_snapshot_keeps_what_was_passed_on_and_not_asked_for_yet() {
        world.tries("k", "A", TTL);
        world.run(world.handingOff("k", "A", "B", TTL));
        var restored = world.restored();
        assertThat(restored.table.digest()).isEqualTo(world.table.digest());
        assertThat(restored.tries("k", "B", TTL).holds()).isTrue();
    }

    @Test
    void permits_are_passed_on_as_they_are() {
        world.takes("k", "A", 2, 3, TTL);
        world.takes("k", "B", 1, 3, TTL);
        var d = world.waitsToTake("k", "D", 1, 3, TTL);
        world.run(world.handingOff("k", "A", "C", TTL));
        assertThat(world.holders("k")).containsExactly("B", "C");
        assertThat(d.waits()).isTrue();
        world.release("k", "C");
        assertThat(d.holds()).isTrue();
    }
}
