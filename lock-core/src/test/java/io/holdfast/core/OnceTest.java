package io.holdfast.core;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A request has one effect, however often and however late it arrives (I6). */
class OnceTest {
    private static final Duration TTL = ofSeconds(10);

    private final World world = new World();

    @Test
    void hazelcast_7343_a_retry_of_what_was_applied_gets_the_same_grant_while_it_lasts_and_the_truth_after() {
        var a = world.tries("k", "A", TTL);
        FencingToken token = a.hold().token();
        assertThat(((Outcome.Granted) a.again()).hold().token()).isEqualTo(token);
        World other = world.restarted();
        assertThat(((Outcome.Granted) other.run(a.command)).hold().token()).isEqualTo(token);
        other.pass(TTL);
        assertThat(other.run(a.command)).isEqualTo(new Outcome.Ended(End.EXPIRED, Optional.of(token)));
        other.pass(ofMinutes(10));
        assertThat(other.run(a.command)).isEqualTo(new Outcome.TooLate());
        assertThat(other.isEmpty()).isTrue();
    }

    @Test
    void a_release_that_arrives_twice_ends_one_hold_and_is_answered_alike() {
        var a = world.tries("k", "A", TTL);
        var released = new Outcome.Released(a.hold().token());
        var release = world.releasing("k", "A");
        assertThat(world.run(release)).isEqualTo(released);
        var next = world.tries("k", "A", TTL);
        assertThat(world.run(release)).isEqualTo(released);
        assertThat(next.holds()).isTrue();
    }

    @Test
    void a_release_that_found_nothing_stays_without_effect() {
        var release = world.releasing("k", "A");
        assertThat(world.run(release)).isEqualTo(new Outcome.NotHeld(Optional.empty()));
        var later = world.tries("k", "A", TTL);
        assertThat(world.run(release)).isInstanceOf(Outcome.NotHeld.class);
        assertThat(later.holds()).isTrue();
    }

    @Test
    void a_try_that_was_refused_is_not_granted_to_its_late_duplicate() {
        world.tries("k", "A", TTL);
        var b = world.tries("k", "B", TTL);
        assertThat(b.answer).isInstanceOf(Outcome.Held.class);
        world.release("k", "A");
        assertThat(b.again()).isEqualTo(new Outcome.Held(Optional.empty()));
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void a_late_give_up_never_takes_a_lock_away() {
        world.tries("k", "A", TTL);
        var b = world.waits("k", "B", TTL);
        world.release("k", "A");
        assertThat(b.giveUp()).isInstanceOf(Outcome.Granted.class);
        assertThat(b.holds()).isTrue();
        FencingToken token = b.hold().token();
        world.release("k", "B");
        assertThat(b.giveUp()).isEqualTo(new Outcome.Ended(End.RELEASED, Optional.of(token)));
    }

    @Test
    void a_request_from_beyond_the_windows_end_is_refused_and_one_within_is_not() {
        var early = world.asking("k", "A", TTL, TTL);
        var next = world.asking("k", "B", TTL, TTL);
        world.passUnnoticed(ofSeconds(60).plusNanos(1));
        assertThat(world.run(early)).isEqualTo(new Outcome.TooLate());
        assertThat(world.run(new Command.GiveUp(early.owner(), early.name(), early.request())))
                .isEqualTo(new Outcome.TooLate());
        assertThat(world.run(next)).isEqualTo(new Outcome.TooLate());
        var just = world.asking("k", "C", TTL, TTL);
        world.passUnnoticed(ofSeconds(60));
        assertThat(world.run(just)).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void a_request_that_claims_to_come_from_the_future_is_refused() {
        var template = world.asking("k", "A", TTL, TTL);
        var ahead = new Request.Identified(new RequestId(5, 5), 1);
        assertThat(world.run(new Command.Acquire(template.owner(), template.name(), ahead, template.ttlNanos(), 0, "")))
                .isEqualTo(new Outcome.TooLate());
        assertThat(world.run(new Command.OpenSession(new SessionId(5, 5), 1, TTL.toNanos(), "")))
                .isEqualTo(new Outcome.TooLate());
        assertThat(world.isEmpty()).isTrue();
    }

    @Test
    void when_memory_is_full_the_oldest_is_forgotten_and_whatever_is_as_old_is_refused() {
        World small = new World(new Limits(100, 100, 100, 100, 2, 60_000_000_000L, 100, 1_000, 1 << 20));
        var one = small.tries("k1", "A", TTL);
        small.release("k1", "A"); // remembers two: the acquire and its release
        var stuck = small.asking("k2", "A", TTL, TTL);
        small.passUnnoticed(ofNanos(1));
        var stuckLess = small.asking("k3", "A", TTL, TTL);
        small.tries("k4", "A", TTL);
        small.release("k4", "A"); // crowds out both of the first
        assertThat(one.again()).isEqualTo(new Outcome.TooLate());
        assertThat(small.run(stuck)).isEqualTo(new Outcome.TooLate());
        assertThat(small.run(stuckLess)).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void what_is_held_or_waited_for_is_known_however_old_and_however_full_memory_is() {
        World small = new World(new Limits(100, 100, 100, 100, 1, 1_000_000_000L, 100, 1_000, 1 << 20));
        var holder = small.tries("k", "A", ofMinutes(10));
        var waiter = small.waits("k", "B", ofMinutes(10));
        small.pass(ofMinutes(5));
        for (int i = 0; i < 5; i++) {
            small.tries("other", "C", TTL);
            small.release("other", "C");
        }
        assertThat(holder.again()).isInstanceOf(Outcome.Granted.class);
        assertThat(waiter.again()).isInstanceOf(Outcome.Queued.class);
        assertThat(waiter.giveUp()).isEqualTo(new Outcome.Ended(End.GAVE_UP, Optional.empty()));
    }

    @Test
    void ratis_915_a_session_remembers_what_its_client_has_not_seen_for_as_long_as_it_lives() {
        var client = world.session(ofMinutes(30));
        var acquire = client.tries("k");
        FencingToken token = acquire.hold().token();
        var release = client.releasing("k");
        world.run(release);
        world.pass(ofMinutes(20)); // longer than anything is remembered by id
        assertThat(acquire.again()).isEqualTo(new Outcome.Ended(End.RELEASED, Optional.of(token)));
        assertThat(world.run(release)).isEqualTo(new Outcome.Released(token));
        client.seenUpTo = 1;
        client.release("k");
        assertThat(acquire.again()).isEqualTo(new Outcome.AlreadyAnswered());
        assertThat(acquire.stands()).isEqualTo(new Outcome.AlreadyAnswered());
        assertThat(world.run(release)).isEqualTo(new Outcome.Released(token)); // that one is not seen yet
        assertThat(world.lock("k")).isEmpty();
    }

    @Test
    void an_older_sending_does_not_take_back_what_its_client_has_seen() {
        var client = world.session(TTL);
        var first = client.tries("k"); // says: nothing seen
        client.seenUpTo = 1;
        client.release("k");
        client.seenUpTo = 0;
        client.release("other"); // a sending that was overtaken
        assertThat(first.again()).isEqualTo(new Outcome.AlreadyAnswered());
    }

    @Test
    void all_asks_of_a_session_that_one_hold_answers_are_over_with_it() {
        var client = world.session(TTL);
        var first = client.tries("k");
        var anew = client.waits("k");
        assertThat(anew.token()).isEqualTo(first.token());
        FencingToken token = anew.hold().token();
        client.release("k");
        var ended = new Outcome.Ended(End.RELEASED, Optional.of(token));
        assertThat(first.again()).isEqualTo(ended);
        assertThat(anew.again()).isEqualTo(ended);
        assertThat(world.lock("k")).isEmpty();
    }

    @Test
    void a_number_from_one_who_has_no_session_and_a_tag_of_another_request_do_no_harm() {
        var noSession = new Owner.OneShot("A");
        var number = new Request.Numbered(1, 0);
        var k = new LockName("k");
        assertThat(world.run(new Command.Acquire(noSession, k, number, TTL.toNanos(), 0, "")))
                .isEqualTo(new Outcome.NoSuchSession());
        assertThat(world.run(new Command.GiveUp(noSession, k, number))).isEqualTo(new Outcome.NoSuchSession());
        assertThat(world.run(new Command.Release(noSession, k, number, Optional.empty())))
                .isEqualTo(new Outcome.NoSuchSession());
        assertThat(world.isEmpty()).isTrue();

        var a = world.tries("k", "A", TTL);
        FencingToken token = a.hold().token();
        var withSameTag = new Command.Release(noSession, k, a.command.request(), Optional.empty());
        assertThat(world.run(withSameTag)).isEqualTo(new Outcome.Released(token));
        assertThat(world.run(withSameTag)).isEqualTo(new Outcome.Ended(End.RELEASED, Optional.of(token)));
        assertThat(a.again()).isEqualTo(new Outcome.Ended(End.RELEASED, Optional.of(token)));
    }
}
