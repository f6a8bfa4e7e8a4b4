package io.holdfast.core;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the store remembers of what happened: who held a lock and how it ended, and the events for those who watch. */
class HistoryTest {
    private static final Duration TTL = ofSeconds(10);
    private static final LockName K = new LockName("k");
    private static final Owner A = new Owner.OneShot("A");
    private static final Owner B = new Owner.OneShot("B");

    private final World world = World.raised();

    @Test
    void it_tells_who_held_at_an_index_and_how_that_ended() {
        long before = world.index();
        var a = world.tries("k", "A", TTL);
        long granted = world.index();
        world.pass(ofSeconds(3));
        world.release("k", "A");
        long released = world.index();
        world.tries("k", "B", TTL);

        assertThat(heldAt(before)).isEmpty();
        var hold = new HeldAt.PastHold(
                A,
                "",
                new FencingToken(a.grantedToken()),
                Optional.of(
                        new HeldAt.Ending(End.RELEASED, released, ofSeconds(3).toNanos())));
        assertThat(heldAt(granted)).containsExactly(hold);
        assertThat(heldAt(released - 1)).containsExactly(hold);
        assertThat(heldAt(released)).isEmpty();
        assertThat(heldAt(world.index())).extracting(HeldAt.PastHold::owner).containsExactly(B);
        assertThat(heldAt(world.index())).extracting(HeldAt.PastHold::ending).containsExactly(Optional.empty());
    }

    @Test
    void it_tells_who_held_at_a_time() {
        world.pass(ofSeconds(1));
        world.tries("k", "A", TTL);
        world.pass(TTL);
        world.passUnnoticed(ofSeconds(4));
        world.tries("k", "B", TTL);

        assertThat(heldAtTime(ofSeconds(1).minusNanos(1))).isEmpty();
        assertThat(heldAtTime(ofSeconds(1))).extracting(HeldAt.PastHold::owner).containsExactly(A);
        assertThat(heldAtTime(ofSeconds(11).minusNanos(1)))
                .extracting(hold -> hold.ending().orElseThrow().how())
                .containsExactly(End.EXPIRED);
        assertThat(heldAtTime(ofSeconds(11))).isEmpty();
        assertThat(heldAtTime(ofSeconds(15))).extracting(HeldAt.PastHold::owner).containsExactly(B);
        assertThat(world.table.heldAtTime(K, ofSeconds(16).toNanos())).isEqualTo(new HeldAt.NotYet());
    }

    @Test
    void each_way_to_end_is_told() {
        List<End> ends = new ArrayList<>();
        List<Long> held = new ArrayList<>();
        world.tries("k", "A", TTL);
        held.add(world.index());
        world.convert("k", "A", Mode.SHARED);
        held.add(world.index());
        world.run(world.handingOff("k", "A", "B", TTL));
        held.add(world.index());
        world.run(world.revoking(
                "k", world.lock("k").orElseThrow().holders().get(0).token().value(), ZERO));
        for (long index : held) {
            heldAt(index).forEach(hold -> ends.add(hold.ending().orElseThrow().how()));
        }
        assertThat(ends).containsExactly(End.CONVERTED, End.HANDED_OFF, End.REVOKED);
    }

    @Test
    void the_history_of_a_lock_is_its_own_latest_events() {
        world.tries("k", "A", TTL);
        world.tries("other", "A", TTL);
        world.waits("k", "B", TTL);
        world.release("k", "A");
        History history = world.table.history(K, 3);
        assertThat(history.events())
                .extracting(it -> it.event().getClass().getSimpleName())
                .containsExactly("Queued", "HoldEnded", "Acquired");
        assertThat(history.firstIndex()).isEqualTo(2);
    }

    @Test
    void it_is_bounded_in_number_and_says_from_where_on_it_is_whole() {
        World small = World.raised(new Limits(99, 99, 99, 99, 999, 60_000_000_000L, 99, 10, 1 << 20));
        for (int i = 0; i < 10; i++) {
            small.tries("k", "A", TTL);
            small.release("k", "A");
        }
        long first = small.index() - 9;
        assertThat(small.table.eventsAfter(first - 2, 99)).isEqualTo(new EventsAfter.TooOld(first));
        assertThat(small.table.heldAt(K, first - 2)).isEqualTo(new HeldAt.TooOld(first));
        EventsAfter.Some all = (EventsAfter.Some) small.table.eventsAfter(first - 1, 99);
        assertThat(all.events())
                .hasSize(10)
                .first()
                .extracting(LoggedEvent::logIndex)
                .isEqualTo(first);
    }

    @Test
    void it_is_bounded_in_bytes_too() {
        World small = World.raised(new Limits(99, 99, 99, 99, 999, 60_000_000_000L, 99, 1_000, 20_000));
        var terms = Terms.PLAIN.withValue("x".repeat(Bounds.MAX_VALUE_BYTES));
        for (int i = 0; i < 10; i++) {
            small.triesOn(terms, "k", "A", TTL);
            small.release("k", "A");
        }
        assertThat(small.table.history(K, 999).events()).hasSize(5);
    }

    @Test
    void names_of_the_past_take_no_memory_in_the_end() {
        World small = World.raised(new Limits(99, 99, 99, 99, 9, 60_000_000_000L, 99, 10, 1 << 20));
        for (int i = 0; i < 1_000; i++) {
            small.tries("n" + i, "A", TTL);
            small.release("n" + i, "A");
        }
        assertThat(small.isEmpty()).isTrue();
        small.save();
        assertThat(small.saved.records.keySet())
                .filteredOn(ImageKey.OfEvent.class::isInstance)
                .hasSize(10);
    }

    @Test
    void a_watcher_goes_on_page_by_page_and_finds_each_event_once() {
        for (int i = 0; i < 7; i++) {
            world.tries("n" + i, "A", TTL);
        }
        List<Long> ordinals = new ArrayList<>();
        long next = 1;
        while (next < world.table.nextEventOrdinal()) {
            EventsAfter.Some page = (EventsAfter.Some) world.table.eventsFrom(next, 3);
            page.events().forEach(it -> ordinals.add(it.ordinal()));
            next = page.nextOrdinal();
        }
        assertThat(ordinals)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 7).mapToObj(i -> (long) i).toList());
        assertThat(world.table.eventsFrom(next, 3)).isEqualTo(new EventsAfter.Some(List.of(), next));
    }

    @Test
    void an_index_that_is_yet_to_come_has_no_events_and_is_not_too_old() {
        assertThat(world.table.eventsAfter(1_000, 9)).isEqualTo(new EventsAfter.Some(List.of(), 1));
    }

    @Test
    void a_store_of_feature_level_1_keeps_none_and_says_so_once_it_is_raised() {
        World old = new World();
        old.tries("k", "A", TTL);
        assertThat(old.table.nextEventOrdinal()).isEqualTo(1);
        old.save();
        assertThat(old.saved.store.events()).isEqualTo(StoreImage.Events.NONE);
        old.run(new Command.RaiseFeatureLevel(2));
        assertThat(old.table.eventsAfter(old.index() - 1, 9)).isEqualTo(new EventsAfter.TooOld(old.index() + 1));
        old.release("k", "A");
        assertThat(((HeldAt.Known) old.table.heldAt(K, old.index() - 1)).holds())
                .as("granted before, ended since")
                .extracting(HeldAt.PastHold::owner)
                .containsExactly(A);
    }

    @Test
    void a_snapshot_brings_only_the_events_since_the_last() {
        world.tries("k", "A", TTL);
        world.save();
        world.release("k", "A");
        Changes changes = world.save();
        assertThat(changes.present())
                .filteredOn(Image.OfEvent.class::isInstance)
                .hasSize(1);
        var restored = world.restored();
        assertThat(restored.table.history(K, 9)).isEqualTo(world.table.history(K, 9));
        assertThat(restored.table.digest()).isEqualTo(world.table.digest());
    }

    @Test
    void an_event_is_about_its_lock_and_what_begins_like_it() {
        Event event = new Event.Queued(new LockName("orders/42"), A, "", Mode.EXCLUSIVE);
        assertThat(event.lock()).contains(new LockName("orders/42"));
        assertThat(event.isAbout("orders/")).isTrue();
        assertThat(event.isAbout("")).isTrue();
        assertThat(event.isAbout("orders/43")).isFalse();
        Event session = new Event.SessionOpened(new SessionId(1, 1), "");
        assertThat(session.isAbout("")).isTrue();
        assertThat(session.isAbout("o")).isFalse();
    }

    private List<HeldAt.PastHold> heldAt(long index) {
        return ((HeldAt.Known) world.table.heldAt(K, index)).holds();
    }

    private List<HeldAt.PastHold> heldAtTime(Duration time) {
        return ((HeldAt.Known) world.table.heldAtTime(K, time.toNanos())).holds();
    }
}
