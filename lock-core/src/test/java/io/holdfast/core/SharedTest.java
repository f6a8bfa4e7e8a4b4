package io.holdfast.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Locks that several hold together, and how a hold changes its mode. */
class SharedTest {
    private static final Duration TTL = ofSeconds(10);
    private static final Duration LONG = ofSeconds(100);

    private final World world = World.raised();

    @Test
    void any_number_share_a_lock_each_with_a_token_of_its_own() {
        var a = world.shares("k", "A", TTL);
        var b = world.shares("k", "B", TTL);
        var c = world.shares("k", "C", TTL);
        assertThat(world.holders("k")).containsExactly("A", "B", "C");
        assertThat(a.token()).isLessThan(b.token());
        assertThat(b.token()).isLessThan(c.token());
        assertThat(a.again()).isInstanceOf(Outcome.Granted.class);
        assertThat(world.release("k", "B")).isEqualTo(new Outcome.Released(new FencingToken(b.grantedToken())));
        assertThat(world.holders("k")).containsExactly("A", "C");
    }

    @Test
    void who_shares_and_who_does_not_exclude_each_other() {
        world.shares("k", "A", TTL);
        assertThat(world.tries("k", "B", TTL).answer).isInstanceOf(Outcome.Held.class);
        world.tries("l", "A", TTL);
        assertThat(world.shares("l", "B", TTL).answer).isInstanceOf(Outcome.Held.class);
    }

    /** Redisson's plain lock and its read lock of one name were both granted. */
    @Test
    void redisson_4023_the_release_of_one_who_was_refused_frees_nobody_else() {
        var a = world.tries("k", "A", TTL);
        assertThat(world.shares("k", "B", TTL).answer).isInstanceOf(Outcome.Held.class);
        assertThat(world.release("k", "B")).isInstanceOf(Outcome.NotHeld.class);
        assertThat(a.holds()).isTrue();
    }

    @Test
    void a_reader_never_overtakes_a_waiting_writer() {
        world.shares("k", "A", LONG);
        var writer = world.waits("k", "W", LONG);
        var late = world.waitsToShare("k", "B", LONG);
        assertThat(late.waits()).isTrue();
        assertThat(world.shares("k", "C", TTL).answer).isInstanceOf(Outcome.Held.class);
        world.release("k", "A");
        assertThat(world.holders("k")).containsExactly("W");
        assertThat(late.waits()).isTrue();
        world.release("k", "W");
        assertThat(late.holds()).isTrue();
        assertThat(late.token()).isGreaterThan(writer.grantedToken());
    }

    @Test
    void readers_beside_each_other_in_the_queue_are_granted_together_in_its_order() {
        world.tries("k", "A", LONG);
        for (String owner : List.of("R2", "R1", "R3")) {
            world.waitsToShare("k", owner, LONG);
        }
        world.waits("k", "W", LONG);
        var last = world.waitsToShare("k", "R4", LONG);
        world.release("k", "A");
        assertThat(world.holders("k")).containsExactly("R2", "R1", "R3");
        assertThat(world.queue("k")).containsExactly("W", "R4");
        assertThat(world.events())
                .filteredOn(Event.Acquired.class::isInstance)
                .extracting(event -> ((Event.Acquired) event).token().value() % FencingToken.PER_ENTRY)
                .containsExactly(0L, 1L, 2L);
        assertThat(last.waits()).isTrue();
    }

    @Test
    void readers_get_in_when_the_writer_before_them_gives_up() {
        world.shares("k", "A", LONG);
        var writer = world.waits("k", "W", LONG);
        var b = world.waitsToShare("k", "B", LONG);
        var c = world.waitsToShare("k", "C", LONG);
        writer.giveUp();
        assertThat(b.holds() && c.holds()).isTrue();
        assertThat(world.holders("k")).containsExactly("A", "B", "C");
    }

    @Test
    void readers_get_in_when_the_writer_before_them_times_out_or_dies() {
        world.shares("k", "A", LONG);
        world.asks("k", "W1", LONG, ofSeconds(5));
        world.waits("k", "W2", ofSeconds(7));
        var b = world.waitsToShare("k", "B", LONG);
        world.pass(ofSeconds(5));
        assertThat(b.waits()).isTrue();
        world.pass(ofSeconds(2));
        assertThat(b.holds()).isTrue();
    }

    @Test
    void readers_get_in_when_the_session_that_waits_before_them_is_closed() {
        world.shares("k", "A", LONG);
        var client = world.session(LONG);
        client.waits("k");
        var b = world.waitsToShare("k", "B", LONG);
        client.close();
        assertThat(b.holds()).isTrue();
    }

    /** One who is due but not swept yet is gone for everybody who looks. */
    @Test
    void a_writer_that_is_over_but_not_yet_swept_keeps_no_reader_out() {
        World small = World.raised(new Limits(99, 99, 99, 99, 99, 60_000_000_000L, 1, 1_000, 1 << 20));
        small.shares("k", "A", LONG);
        small.tries("other", "X", ofSeconds(4)); // takes the one place in the batch
        small.asks("k", "W", LONG, ofSeconds(5));
        small.passUnnoticed(ofSeconds(5));
        assertThat(small.shares("k", "B", TTL).answer).isInstanceOf(Outcome.Granted.class);
        assertThat(small.holders("k")).containsExactly("A", "B");
    }

    /** A short lease of one reader cut that of all others; or only the first reader's was renewed. */
    @Test
    void redisson_1604_and_2144_the_lease_of_each_reader_lives_and_ends_on_its_own() {
        var first = world.shares("k", "R1", ofSeconds(50));
        world.shares("k", "R2", ofSeconds(10));
        world.shares("k", "R3", ofSeconds(10));
        var writer = world.waits("k", "W", ofSeconds(1_000));
        for (int i = 0; i < 12; i++) {
            world.pass(ofSeconds(5));
            if (i < 10) {
                world.renew("k", "R3");
            }
            List<String> expected = i == 0
                    ? List.of("R1", "R2", "R3")
                    : i < 9 ? List.of("R1", "R3") : i < 11 ? List.of("R3") : List.of("W");
            assertThat(world.holders("k")).as("after %s s", 5 * (i + 1)).isEqualTo(expected);
        }
        assertThat(writer.token()).isGreaterThan(first.grantedToken());
        assertThat(first.stands())
                .isEqualTo(new Outcome.Ended(End.EXPIRED, Optional.of(new FencingToken(first.grantedToken()))));
    }

    @Test
    void a_hold_is_downgraded_without_a_gap_and_readers_beside_it_get_in() {
        var a = world.tries("k", "A", TTL);
        var reader = world.waitsToShare("k", "R", TTL);
        var writer = world.waits("k", "W", TTL);
        Outcome.Granted shared = (Outcome.Granted) world.convert("k", "A", Mode.SHARED);
        assertThat(shared.hold().token().value()).isGreaterThan(a.grantedToken());
        assertThat(shared.hold().logIndex()).isEqualTo(world.index());
        assertThat(world.holders("k")).containsExactly("A", "R");
        assertThat(reader.token()).isGreaterThan(shared.hold().token().value());
        assertThat(world.events())
                .containsExactly(
                        new Event.Converted(
                                new LockName("k"),
                                new Owner.OneShot("A"),
                                "",
                                new FencingToken(a.grantedToken()),
                                shared.hold().token(),
                                Mode.SHARED),
                        new Event.Acquired(
                                new LockName("k"),
                                new Owner.OneShot("R"),
                                "",
                                new FencingToken(reader.token()),
                                Mode.SHARED,
                                ""));
        assertThat(writer.waits()).isTrue();
    }

    @Test
    void the_old_token_is_dead_from_the_conversion_on_and_the_old_request_over() {
        var a = world.tries("k", "A", TTL);
        var convert = world.converting("k", "A", Mode.SHARED);
        FencingToken now = ((Outcome.Granted) world.run(convert)).hold().token();
        assertThat(world.release("k", "A", a.grantedToken())).isInstanceOf(Outcome.NotHeld.class);
        assertThat(a.again())
                .isEqualTo(new Outcome.Ended(End.CONVERTED, Optional.of(new FencingToken(a.grantedToken()))));
        assertThat(((Outcome.Granted) world.run(convert)).hold().token()).isEqualTo(now);
        assertThat(world.release("k", "A", now.value())).isEqualTo(new Outcome.Released(now));
        assertThat(world.run(convert)).isEqualTo(new Outcome.Ended(End.RELEASED, Optional.of(now)));
    }

    @Test
    void an_upgrade_goes_only_alone_and_then_even_past_a_waiting_writer() {
        var a = world.shares("k", "A", TTL);
        world.shares("k", "B", TTL);
        var writer = world.waits("k", "W", TTL);
        var refused = world.converting("k", "A", Mode.EXCLUSIVE);
        assertThat(world.run(refused)).isEqualTo(new Outcome.NotAlone(2));
        assertThat(a.holds()).isTrue();
        world.release("k", "B");
        assertThat(world.run(refused)).as("a retry of what was refused").isEqualTo(new Outcome.NotAlone(1));
        Outcome.Granted alone = (Outcome.Granted) world.convert("k", "A", Mode.EXCLUSIVE);
        assertThat(alone.hold().terms().mode()).isEqualTo(Mode.EXCLUSIVE);
        assertThat(alone.hold().token().value()).isGreaterThan(a.grantedToken());
        assertThat(writer.waits()).isTrue();
    }

    @Test
    void who_converts_what_it_does_not_hold_is_told_so_and_a_wrong_token_converts_nothing() {
        assertThat(world.convert("k", "A", Mode.SHARED)).isEqualTo(new Outcome.NotHeld(Optional.empty()));
        var a = world.tries("k", "A", TTL);
        var wrong = new Command.Convert(
                new Owner.OneShot("A"),
                new LockName("k"),
                world.request(),
                Optional.of(new FencingToken(a.token() + 1)),
                Mode.SHARED);
        assertThat(world.run(wrong)).isInstanceOf(Outcome.NotHeld.class);
        assertThat(a.holds()).isTrue();
    }

    @Test
    void to_convert_into_the_mode_there_is_changes_nothing_and_renews() {
        var a = world.shares("k", "A", TTL);
        world.pass(ofSeconds(4));
        Outcome.Granted same = (Outcome.Granted) world.convert("k", "A", Mode.SHARED);
        assertThat(same.hold().token().value()).isEqualTo(a.token());
        assertThat(same.hold().remainingNanos()).isEqualTo(TTL.toNanos());
        assertThat(a.holds()).isTrue();
    }

    @Test
    void a_conversion_renews_the_lease() {
        world.tries("k", "A", TTL);
        world.pass(ofSeconds(4));
        Outcome.Granted shared = (Outcome.Granted) world.convert("k", "A", Mode.SHARED);
        assertThat(shared.hold().remainingNanos()).isEqualTo(TTL.toNanos());
    }

    @Test
    void a_session_that_asks_anew_in_another_mode_is_refused_and_keeps_what_it_has() {
        var client = world.session(TTL);
        var reads = client.asks("k", Duration.ZERO, Terms.SHARED);
        assertThat(client.waits("k").answer).isInstanceOf(Outcome.OtherMode.class);
        assertThat(reads.holds()).isTrue();
        world.tries("l", "A", TTL);
        var waits = client.waits("l");
        var other = client.asks("l", LONG, Terms.SHARED);
        assertThat(other.answer).isInstanceOf(Outcome.OtherMode.class);
        world.release("l", "A");
        assertThat(waits.holds()).isTrue();
        assertThat(other.again()).isInstanceOf(Outcome.OtherMode.class);
    }

    @Test
    void before_the_feature_level_is_raised_all_this_is_refused_and_nothing_changes() {
        World first = new World();
        assertThat(first.shares("k", "A", TTL).answer).isEqualTo(new Outcome.FeatureLevelTooLow(2, 1));
        first.tries("k", "A", TTL);
        String before = first.table.digest();
        assertThat(first.convert("k", "A", Mode.SHARED)).isEqualTo(new Outcome.FeatureLevelTooLow(2, 1));
        assertThat(first.table.digest()).isEqualTo(before);
    }

    @Test
    void a_snapshot_has_a_record_for_each_who_shares_and_replaces_that_of_a_hold_that_changed_its_mode() {
        world.tries("k", "A", TTL);
        world.save();
        world.convert("k", "A", Mode.SHARED);
        world.shares("k", "B", TTL);
        Changes changes = world.save();
        assertThat(changes.gone()).containsExactly(new ImageKey.OfLock(new LockName("k")));
        assertThat(changes.present())
                .filteredOn(Image.OfLock.class::isInstance)
                .extracting(Image::key)
                .hasOnlyElementsOfType(ImageKey.OfHold.class)
                .hasSize(2);
        World other = world.restored();
        assertThat(other.holders("k")).containsExactly("A", "B");
        other.release("k", "B");
        assertThat(other.convert("k", "A", Mode.EXCLUSIVE)).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void a_thousand_readers_wait_and_are_granted_at_once() {
        world.tries("k", "A", LONG);
        for (int i = 0; i < 1_000; i++) {
            world.waitsToShare("k", "R" + i, LONG);
        }
        world.release("k", "A");
        assertThat(world.lock("k").orElseThrow().holders())
                .hasSize(1_000)
                .isSortedAccordingTo((one, other) -> one.token().compareTo(other.token()));
    }
}
