package io.holdfast.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A lock with a value, and the question whether a token still counts. */
class ElectionTest {
    private static final Duration TTL = ofSeconds(10);
    private static final LockName K = new LockName("k");
    private static final Owner A = new Owner.OneShot("A");

    private final World world = World.raised();

    @Test
    void a_holder_publishes_the_value_that_it_asked_with_and_then_others() {
        var a = world.triesOn(Terms.PLAIN.withValue("host-a:80"), "k", "A", TTL);
        assertThat(a.hold().terms().value()).isEqualTo("host-a:80");
        assertThat(world.events())
                .containsExactly(new Event.Acquired(K, A, "", a.hold().token(), Mode.EXCLUSIVE, "host-a:80"));
        assertThat(world.run(world.proclaiming("k", "A", "host-a:81")))
                .isEqualTo(new Outcome.Proclaimed(a.hold().token(), Optional.of(a.hold())));
        assertThat(a.hold().terms().value()).isEqualTo("host-a:81");
        assertThat(world.events())
                .containsExactly(new Event.ValueChanged(K, A, "", a.hold().token(), "host-a:81"));
    }

    @Test
    void the_next_leader_comes_with_its_own_value() {
        world.triesOn(Terms.PLAIN.withValue("a"), "k", "A", TTL);
        var b = world.waitsOn(Terms.PLAIN.withValue("b"), "k", "B", ofSeconds(60));
        world.pass(TTL);
        assertThat(b.hold().terms().value()).isEqualTo("b");
    }

    @Test
    void a_late_duplicate_of_a_proclamation_does_not_bring_the_old_value_back() {
        var a = world.tries("k", "A", TTL);
        var old = world.proclaiming("k", "A", "old");
        world.run(old);
        world.run(world.proclaiming("k", "A", "new"));
        assertThat(((Outcome.Proclaimed) world.run(old))
                        .hold()
                        .orElseThrow()
                        .terms()
                        .value())
                .isEqualTo("new");
        world.release("k", "A");
        assertThat(world.run(old))
                .isEqualTo(new Outcome.Proclaimed(new FencingToken(a.grantedToken()), Optional.empty()));
    }

    @Test
    void only_the_holder_proclaims_and_only_under_its_token() {
        var a = world.tries("k", "A", TTL);
        assertThat(world.run(world.proclaiming("k", "B", "b"))).isInstanceOf(Outcome.NotHeld.class);
        var wrong = new Command.Proclaim(A, K, world.request(), Optional.of(new FencingToken(a.token() + 1)), "x");
        assertThat(world.run(wrong)).isInstanceOf(Outcome.NotHeld.class);
        assertThat(a.hold().terms().value()).isEmpty();
    }

    @Test
    void a_proclamation_does_not_renew_the_lease() {
        var a = world.tries("k", "A", TTL);
        world.pass(ofSeconds(4));
        world.run(world.proclaiming("k", "A", "v"));
        assertThat(a.hold().remainingNanos()).isEqualTo(ofSeconds(6).toNanos());
    }

    @Test
    void values_are_in_snapshots() {
        world.tries("k", "A", TTL);
        world.save();
        world.run(world.proclaiming("k", "A", "v"));
        World other = world.restored();
        assertThat(other.lock("k").orElseThrow().holders().get(0).terms().value())
                .isEqualTo("v");
    }

    @Test
    void a_value_is_up_to_4096_bytes_of_text_and_may_have_several_lines() {
        assertThat(Bounds.value("a\nb\u0000")).isEmpty();
        assertThat(Bounds.value("é".repeat(2_048))).isEmpty();
        assertThat(Bounds.value("é".repeat(2_048) + "x").orElseThrow().message())
                .contains("4097 bytes", "0 to 4096");
        assertThat(Bounds.value("\uD83D").orElseThrow().message()).contains("unpaired surrogate");
        assertThatThrownBy(() -> Terms.PLAIN.withValue("x".repeat(4_097))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_token_counts_while_its_hold_lives_and_not_a_moment_longer() {
        assertThat(world.check("k", 1)).isEqualTo(new TokenCheck.Free());
        var a = world.tries("k", "A", TTL);
        assertThat(world.check("k", a.token())).isEqualTo(new TokenCheck.Current(a.hold()));
        assertThat(world.check("k", a.token() - 1))
                .isEqualTo(new TokenCheck.Stale(a.hold().token()));
        var b = world.waits("k", "B", ofSeconds(60));
        world.pass(TTL);
        assertThat(world.check("k", a.grantedToken()))
                .isEqualTo(new TokenCheck.Stale(b.hold().token()));
        world.release("k", "B");
        assertThat(world.check("k", b.grantedToken())).isEqualTo(new TokenCheck.Free());
    }

    @Test
    void of_those_who_share_each_token_counts_and_the_newest_is_told() {
        var a = world.shares("k", "A", TTL);
        var b = world.shares("k", "B", ofSeconds(60));
        var c = world.shares("k", "C", ofSeconds(60));
        for (var one : List.of(a, b, c)) {
            assertThat(world.check("k", one.token())).isEqualTo(new TokenCheck.Current(one.hold()));
        }
        assertThat(world.check("k", a.token() - 1))
                .isEqualTo(new TokenCheck.Stale(c.hold().token()));
        world.release("k", "C");
        assertThat(world.check("k", c.grantedToken()))
                .isEqualTo(new TokenCheck.Stale(b.hold().token()));
    }

    @Test
    void what_is_due_but_not_yet_swept_does_not_count() {
        World small = World.raised(new Limits(99, 99, 99, 99, 99, 60_000_000_000L, 1, 1_000, 1 << 20));
        small.tries("other", "X", ofSeconds(5));
        var a = small.shares("k", "A", TTL);
        var b = small.shares("k", "B", ofSeconds(11));
        small.pass(ofSeconds(60));
        assertThat(small.holders("k")).containsExactly("A", "B");
        assertThat(small.check("k", a.grantedToken())).isEqualTo(new TokenCheck.Free());
        assertThat(small.check("k", b.grantedToken())).isEqualTo(new TokenCheck.Free());
    }
}
