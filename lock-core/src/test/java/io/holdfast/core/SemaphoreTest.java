package io.holdfast.core;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Permits: no more out than there are, and none lost. */
class SemaphoreTest {
    private static final Duration TTL = ofSeconds(10);
    private static final Duration LONG = ofSeconds(100);

    private static final LockName S = new LockName("s");
    private static final LockName L = new LockName("l");

    private final World world = World.raised();

    @Test
    void as_many_permits_are_out_as_there_are_and_no_more() {
        var a = world.takes("s", "A", 2, 3, TTL);
        assertThat(world.takes("s", "B", 2, 3, TTL).answer).isInstanceOf(Outcome.Held.class);
        var c = world.takes("s", "C", 1, 3, TTL);
        assertThat(c.token()).isGreaterThan(a.token());
        assertThat(world.takes("s", "D", 1, 3, TTL).answer).isInstanceOf(Outcome.Held.class);
        assertThat(world.holders("s")).containsExactly("A", "C");
    }

    @Test
    void permits_are_given_in_the_order_of_coming_though_a_smaller_ask_would_fit() {
        world.takes("s", "A", 2, 3, LONG);
        var big = world.waitsToTake("s", "B", 3, 3, LONG);
        var small = world.waitsToTake("s", "C", 1, 3, LONG);
        assertThat(small.waits()).isTrue();
        world.release("s", "A");
        assertThat(big.holds()).isTrue();
        assertThat(small.waits()).isTrue();
        world.release("s", "B");
        assertThat(small.holds()).isTrue();
    }

    @Test
    void one_release_lets_in_as_many_as_fit() {
        world.takes("s", "A", 3, 3, LONG);
        var b = world.waitsToTake("s", "B", 1, 3, LONG);
        var c = world.waitsToTake("s", "C", 2, 3, LONG);
        var d = world.waitsToTake("s", "D", 1, 3, LONG);
        world.release("s", "A");
        assertThat(b.holds() && c.holds() && d.waits()).isTrue();
    }

    @Test
    void some_permits_are_given_back_and_the_token_stays() {
        var a = world.takes("s", "A", 3, 3, TTL);
        var b = world.waitsToTake("s", "B", 2, 3, TTL);
        var giveOne = world.returning("s", "A", 1);
        Outcome.PermitsReleased released = (Outcome.PermitsReleased) world.run(giveOne);
        assertThat(released.token().value()).isEqualTo(a.token());
        assertThat(released.hold().orElseThrow().terms().mode()).isEqualTo(new Mode.Permits(2, 3));
        assertThat(b.waits()).isTrue();
        assertThat(world.run(giveOne)).as("a retry gives back no more").isEqualTo(released);
        world.run(world.returning("s", "A", 1));
        assertThat(world.events().get(0))
                .isEqualTo(new Event.PermitsReleased(
                        new LockName("s"), new Owner.OneShot("A"), "", new FencingToken(a.token()), 1, 1));
        assertThat(b.holds()).isTrue();
        assertThat(world.run(world.returning("s", "A", 2))).isEqualTo(new Outcome.FewerPermits(1));
        assertThat(world.run(world.returning("s", "A", 1)))
                .isEqualTo(new Outcome.Released(new FencingToken(a.grantedToken())));
        assertThat(world.run(giveOne)).isEqualTo(new Outcome.PermitsReleased(released.token(), Optional.empty()));
        assertThat(world.holders("s")).containsExactly("B");
        world.takes("s", "A", 1, 3, TTL);
        assertThat(world.run(giveOne))
                .as("another hold is not the one that it was about")
                .isEqualTo(new Outcome.PermitsReleased(released.token(), Optional.empty()));
    }

    @Test
    void capacity_is_what_the_present_holders_say_and_free_to_say_when_there_are_none() {
        world.takes("s", "A", 1, 3, TTL);
        var other = world.takes("s", "B", 1, 4, TTL);
        assertThat(other.answer).isEqualTo(new Outcome.OtherKind(S, 3));
        assertThat(world.waitsToTake("s", "C", 1, 2, TTL).answer).isEqualTo(new Outcome.OtherKind(S, 3));
        world.release("s", "A");
        assertThat(other.again()).as("a retry of what was refused").isEqualTo(new Outcome.OtherKind(S, 0));
        assertThat(world.takes("s", "B", 4, 4, TTL).holds()).isTrue();
    }

    /** One name is one thing at a time. */
    @Test
    void redisson_4023_a_name_is_a_lock_or_a_semaphore_never_both() {
        var a = world.takes("s", "A", 1, 3, TTL);
        assertThat(world.tries("s", "B", TTL).answer).isEqualTo(new Outcome.OtherKind(S, 3));
        assertThat(world.waitsToShare("s", "C", TTL).answer).isEqualTo(new Outcome.OtherKind(S, 3));
        assertThat(world.convert("s", "A", Mode.EXCLUSIVE)).isEqualTo(new Outcome.OtherKind(S, 3));
        assertThat(world.release("s", "B")).isInstanceOf(Outcome.NotHeld.class);
        assertThat(a.holds()).isTrue();
        world.tries("l", "A", TTL);
        assertThat(world.takes("l", "B", 1, 1, TTL).answer).isEqualTo(new Outcome.OtherKind(L, 0));
        assertThat(world.run(world.returning("l", "A", 1))).isEqualTo(new Outcome.OtherKind(L, 0));
        assertThat(world.holders("l")).containsExactly("A");
    }

    @Test
    void curator_595_a_permit_whose_holder_dies_goes_to_the_next() {
        var client = world.session(TTL);
        client.asks("s", Duration.ZERO, new Terms(new Mode.Permits(1, 1)));
        var waiter = world.waitsToTake("s", "B", 1, 1, LONG);
        world.pass(TTL);
        assertThat(waiter.holds()).isTrue();
    }

    @Test
    void a_session_that_asks_for_another_number_is_refused_and_keeps_what_it_has() {
        var client = world.session(TTL);
        var two = client.asks("s", Duration.ZERO, new Terms(new Mode.Permits(2, 3)));
        assertThat(client.asks("s", Duration.ZERO, new Terms(new Mode.Permits(1, 3))).answer)
                .isInstanceOf(Outcome.OtherMode.class);
        assertThat(client.asks("s", Duration.ZERO, new Terms(new Mode.Permits(2, 3)))
                        .token())
                .isEqualTo(two.token());
    }

    @Test
    void permits_out_of_range_are_refused_with_the_limit() {
        assertThat(Bounds.permits(1, 0).orElseThrow().message()).contains("capacity", "1 to 1000000");
        assertThat(Bounds.permits(1, 1_000_001)).isPresent();
        assertThat(Bounds.permits(0, 3).orElseThrow().message()).contains("permits", "1 to the capacity, 3");
        assertThat(Bounds.permits(4, 3)).isPresent();
        assertThat(Bounds.permits(3, 3)).isEmpty();
        assertThat(Bounds.permits(1_000_000, 1_000_000)).isEmpty();
        assertThatThrownBy(() -> new Mode.Permits(4, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> world.converting("s", "A", new Mode.Permits(1, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> world.returning("s", "A", -1)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Permits were lost by interrupts, reconnects and network trouble, until nobody got one any more. */
    @Test
    void curator_462_315_335_no_permit_is_lost_whoever_dies_or_gives_up_wherever() {
        Random random = new Random(4);
        List<World.Ask> asks = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            int permits = 1 + random.nextInt(3);
            World.Ask ask = world.waitsToTake("s", "C" + i, permits, 3, ofMillis(100 + random.nextInt(400)));
            asks.add(ask);
            World.Ask some = asks.get(random.nextInt(asks.size()));
            String owner = some.command.owner().toString();
            switch (random.nextInt(5)) {
                case 0 -> some.giveUp();
                case 1 -> world.release("s", owner);
                case 2 -> world.run(world.returning("s", owner, 1));
                case 3 -> some.again();
                default -> world.pass(ofMillis(random.nextInt(100)));
            }
            assertThat(permitsOut()).isBetween(1, 3);
        }
        world.pass(ofSeconds(1));
        world.pass(ofSeconds(1));
        assertThat(world.isEmpty()).isTrue();
        assertThat(world.takes("s", "all", 3, 3, TTL).holds()).isTrue();
    }

    private int permitsOut() {
        return world.lock("s").orElseThrow().holders().stream()
                .mapToInt(hold -> ((Mode.Permits) hold.terms().mode()).permits())
                .sum();
    }

    @Test
    void a_restored_semaphore_knows_how_many_permits_are_out() {
        world.takes("s", "A", 2, 3, TTL);
        world.takes("s", "B", 1, 3, TTL);
        world.save();
        world.run(world.returning("s", "A", 1));
        assertThat(world.save().present())
                .filteredOn(Image.OfLock.class::isInstance)
                .singleElement()
                .extracting(image -> ((Image.OfLock) image).terms().mode())
                .isEqualTo(new Mode.Permits(1, 3));
        World other = world.restored();
        assertThat(other.takes("s", "C", 2, 3, TTL).answer).isInstanceOf(Outcome.Held.class);
        assertThat(other.takes("s", "C", 1, 3, TTL).holds()).isTrue();
        assertThat(other.takes("s", "D", 1, 3, TTL).answer).isInstanceOf(Outcome.Held.class);
    }

    @Test
    void before_the_feature_level_is_raised_there_are_no_semaphores() {
        World first = new World();
        assertThat(first.takes("s", "A", 1, 1, TTL).answer).isEqualTo(new Outcome.FeatureLevelTooLow(2, 1));
        assertThat(first.run(first.returning("s", "A", 1))).isEqualTo(new Outcome.FeatureLevelTooLow(2, 1));
    }
}
