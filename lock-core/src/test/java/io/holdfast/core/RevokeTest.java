package io.holdfast.core;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Taking a lock from its holder: with notice, by its token, and never from anybody else. */
class RevokeTest {
    private static final Duration TTL = ofSeconds(60);
    private static final Duration GRACE = ofSeconds(10);
    private static final LockName K = new LockName("k");
    private static final Owner A = new Owner.OneShot("A");

    private final World world = World.raised();

    @Test
    void the_holder_is_told_and_has_the_grace_to_stop() {
        var a = world.tries("k", "A", TTL);
        var b = world.waits("k", "B", TTL);
        var token = new FencingToken(a.token());
        assertThat(world.run(world.revoking("k", a.token(), GRACE))).isEqualTo(new Outcome.Revoking(a.hold()));
        assertThat(world.events())
                .containsExactly(new Event.Revoking(K, A, "", token, GRACE.toNanos(), "to be rebooted", "alice"));
        assertThat(a.hold().notice()).contains(new NoticeView(GRACE.toNanos(), "to be rebooted", "alice"));
        assertThat(world.renew("k", "A")).isEqualTo(new Outcome.Renewed(a.hold()));

        world.pass(GRACE.minusNanos(1));
        assertThat(a.hold().notice().orElseThrow().remainingNanos()).isEqualTo(1);
        world.pass(Duration.ofNanos(1));
        assertThat(world.events()).first().isEqualTo(new Event.HoldEnded(K, A, "", token, End.REVOKED));
        assertThat(a.stands()).isEqualTo(new Outcome.Ended(End.REVOKED, Optional.of(token)));
        assertThat(b.holds()).isTrue();
        assertThat(b.hold().notice()).isEmpty();
    }

    @Test
    void without_grace_the_lock_passes_on_in_the_same_entry() {
        var a = world.tries("k", "A", TTL);
        var b = world.waits("k", "B", TTL);
        var revoking = world.revoking("k", a.token(), ZERO);
        var done = new Outcome.Revoked(new FencingToken(a.token()));
        assertThat(world.run(revoking)).isEqualTo(done);
        assertThat(b.holds()).isTrue();
        assertThat(world.run(revoking)).as("a retry").isEqualTo(done);
        assertThat(b.holds()).isTrue();
    }

    @Test
    void who_releases_and_acquires_again_before_the_revocation_arrives_keeps_the_lock() {
        var first = world.tries("k", "A", TTL);
        var late = world.revoking("k", first.token(), ZERO);
        world.release("k", "A");
        var second = world.tries("k", "A", TTL);
        assertThat(world.run(late)).isEqualTo(new Outcome.NotHeld(Optional.of(second.hold())));
        assertThat(second.holds()).isTrue();
        assertThat(second.hold().notice()).isEmpty();
    }

    @Test
    void who_releases_and_acquires_again_within_the_grace_keeps_the_lock() {
        var first = world.tries("k", "A", TTL);
        world.run(world.revoking("k", first.token(), GRACE));
        world.release("k", "A");
        var second = world.tries("k", "A", TTL);
        world.pass(GRACE);
        assertThat(second.holds()).isTrue();
    }

    @Test
    void a_second_revocation_may_hurry_but_not_give_more_time() {
        var a = world.tries("k", "A", TTL);
        world.run(world.revoking("k", a.token(), GRACE));
        world.run(world.revoking("k", a.token(), GRACE.multipliedBy(2)));
        assertThat(world.events()).isEmpty();
        assertThat(a.hold().notice().orElseThrow().remainingNanos()).isEqualTo(GRACE.toNanos());
        world.run(world.revoking("k", a.token(), ofSeconds(1)));
        assertThat(a.hold().notice().orElseThrow().remainingNanos())
                .isEqualTo(ofSeconds(1).toNanos());
        world.pass(ofSeconds(1));
        assertThat(world.lock("k")).isEmpty();
        world.release("k", "A");
        world.pass(ofSeconds(60));
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void a_retry_says_how_it_stands_by_now() {
        var a = world.tries("k", "A", TTL);
        var revoking = world.revoking("k", a.token(), GRACE);
        world.run(revoking);
        world.pass(ofSeconds(4));
        assertThat(world.run(revoking)).isEqualTo(new Outcome.Revoking(a.hold()));
        assertThat(a.hold().notice().orElseThrow().remainingNanos())
                .isEqualTo(ofSeconds(6).toNanos());
        world.pass(ofSeconds(6));
        assertThat(world.run(revoking)).isEqualTo(new Outcome.Revoked(new FencingToken(a.grantedToken())));
    }

    @Test
    void a_hold_whose_grace_is_over_counts_for_nobody_swept_or_not() {
        var limits = new Limits(100, 100, 100, 100, 100, TTL.toNanos(), 1, 1_000, 1 << 20);
        var tight = World.raised(limits);
        tight.tries("first", "X", ofSeconds(5));
        var a = tight.tries("k", "A", TTL);
        tight.run(tight.revoking("k", a.token(), GRACE));
        tight.passUnnoticed(GRACE);
        tight.tick(); // sweeps the one, for that is all its batch takes
        assertThat(tight.check("k", a.token())).isEqualTo(new TokenCheck.Free());
        assertThat(tight.tries("k", "B", TTL).holds()).isTrue();
    }

    @Test
    void the_pause_that_the_holder_asked_for_is_kept() {
        var a = world.triesOn(new Terms(Mode.EXCLUSIVE, "", GRACE.toNanos()), "k", "A", TTL);
        world.run(world.revoking("k", a.token(), ZERO));
        assertThat(world.tries("k", "B", TTL).holds()).isFalse();
        world.pass(GRACE);
        assertThat(world.tries("k", "B", TTL).holds()).isTrue();
    }

    @Test
    void a_holder_does_not_escape_by_converting() {
        var a = world.tries("k", "A", TTL);
        world.run(world.revoking("k", a.token(), GRACE));
        var converted = (Outcome.Granted) world.convert("k", "A", Mode.SHARED);
        assertThat(converted.hold().notice()).isPresent();
        world.pass(GRACE);
        assertThat(world.lock("k")).isEmpty();
    }

    @Test
    void only_the_one_with_the_token_is_hit_of_those_who_share() {
        var a = world.shares("k", "A", TTL);
        world.shares("k", "B", TTL);
        world.run(world.revoking("k", a.token(), ZERO));
        assertThat(world.holders("k")).isEqualTo(List.of("B"));
    }

    @Test
    void the_lease_that_runs_out_first_decides() {
        var a = world.tries("k", "A", ofSeconds(5));
        world.run(world.revoking("k", a.token(), ofSeconds(5)));
        world.pass(ofSeconds(5));
        assertThat(a.stands())
                .isEqualTo(new Outcome.Ended(End.EXPIRED, Optional.of(new FencingToken(a.grantedToken()))));
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void the_others_of_a_set_stay() {
        world.run(world.askingAll("A", TTL, ZERO, "k", "l"));
        var token = world.lock("k").orElseThrow().holders().get(0).token().value();
        world.run(world.revoking("k", token, ZERO));
        assertThat(world.lock("k")).isEmpty();
        assertThat(world.holder("l")).contains("A");
    }

    @Test
    void a_snapshot_keeps_the_notice() {
        var a = world.tries("k", "A", TTL);
        world.save();
        world.run(world.revoking("k", a.token(), GRACE));
        var restored = world.restored();
        assertThat(restored.table.digest()).isEqualTo(world.table.digest());
        assertThat(restored.lock("k")).isEqualTo(world.lock("k"));
        restored.pass(GRACE);
        assertThat(restored.lock("k")).isEmpty();
    }

    @Test
    void it_needs_feature_level_2() {
        var old = new World();
        var a = old.tries("k", "A", TTL);
        assertThat(old.run(old.revoking("k", a.token(), ZERO))).isEqualTo(new Outcome.FeatureLevelTooLow(2, 1));
        assertThat(a.holds()).isTrue();
    }
}
