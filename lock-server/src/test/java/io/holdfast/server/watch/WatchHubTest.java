package io.holdfast.server.watch;

import static io.holdfast.server.watch.HubBench.ended;
import static io.holdfast.server.watch.HubBench.opened;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Event;
import io.holdfast.core.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchHubTest {
    private final HubBench bench = new HubBench();

    @Test
    void a_watcher_sees_what_its_name_or_prefix_stands_for_and_nothing_else() {
        FakeOutlet name = bench.name("a/b");
        FakeOutlet prefix = bench.prefix("a/");
        FakeOutlet all = bench.prefix("");

        bench.apply(5, ended("a/b"), ended("a/bc"), ended("b"), opened());

        assertThat(name.events()).containsExactly("5.0:a/b-");
        assertThat(prefix.events()).containsExactly("5.0:a/b-", "5.1:a/bc-");
        assertThat(all.events()).containsExactly("5.0:a/b-", "5.1:a/bc-", "5.2:b-", "5.3:session+");
    }

    @Test
    void the_first_message_comes_at_once_and_says_where_the_watch_begins() {
        bench.apply(7, ended("a"));
        FakeOutlet now = bench.prefix("");
        assertThat(now.messages).hasSize(1);
        assertThat(now.completeTo()).isEqualTo(7);
        assertThat(now.events()).isEmpty();
    }

    @Test
    void each_message_says_how_far_all_has_been_told() {
        FakeOutlet watcher = bench.prefix("a");
        bench.apply(3, ended("a"));
        assertThat(watcher.completeTo()).isEqualTo(3);
        bench.apply(9, ended("b"));
        assertThat(watcher.completeTo()).isEqualTo(3);
        bench.apply(12, ended("a"));
        assertThat(watcher.completeTo()).isEqualTo(12);
    }

    @Test
    void who_hears_nothing_is_told_now_and_then_how_far_all_has_been_told() {
        FakeOutlet watcher = bench.prefix("a");
        bench.apply(9, ended("b"));
        bench.pass(Duration.ofSeconds(4));
        assertThat(watcher.messages).hasSize(1);

        bench.pass(Duration.ofSeconds(1));

        assertThat(watcher.messages).hasSize(2);
        assertThat(watcher.completeTo()).isEqualTo(9);
        bench.pass(Duration.ofSeconds(1));
        assertThat(watcher.messages).hasSize(2);
    }

    @Test
    void a_watcher_begins_at_any_place_that_is_still_kept_within_an_entry_too() {
        bench.apply(3, ended("a"), ended("a"));
        bench.apply(5, ended("a"), ended("b"), ended("a"));

        assertThat(bench.prefixFrom("a", 3, 0).events()).containsExactly("3.0:a-", "3.1:a-", "5.0:a-", "5.2:a-");
        assertThat(bench.prefixFrom("a", 3, 1).events()).containsExactly("3.1:a-", "5.0:a-", "5.2:a-");
        assertThat(bench.prefixFrom("a", 4, 0).events()).containsExactly("5.0:a-", "5.2:a-");
        assertThat(bench.prefixFrom("a", 5, 1).events()).containsExactly("5.2:a-");
        assertThat(bench.prefixFrom("a", 6, 0).events()).isEmpty();
    }

    @Test
    void a_place_to_come_is_waited_for() {
        bench.apply(3, ended("a"));
        FakeOutlet watcher = bench.prefixFrom("a", 6, 1);
        assertThat(watcher.completeTo()).isEqualTo(5);

        bench.apply(5, ended("a"));
        bench.apply(6, ended("a"), ended("a"));
        bench.apply(7, ended("a"));

        assertThat(watcher.events()).containsExactly("6.1:a-", "7.0:a-");
    }

    @Test
    void a_place_that_is_no_longer_kept_is_refused_with_the_first_one_that_is() {
        for (int index = 1; index <= 10; index++) {
            bench.apply(index, ended("a"));
        }
        assertThat(bench.prefixFrom("a", 2, 0).end).contains(new WatchEnd.TooOld(3));
        assertThat(bench.prefixFrom("a", 3, 0).events()).hasSize(HubBench.KEPT);
    }

    @Test
    void an_entry_of_which_some_events_are_no_longer_kept_is_too_old_as_a_whole() {
        Event[] many = new Event[HubBench.KEPT - 1];
        java.util.Arrays.fill(many, ended("a"));
        bench.apply(1, many);
        bench.apply(2, ended("a"), ended("a"));

        assertThat(bench.prefixFrom("a", 1, 6).end).contains(new WatchEnd.TooOld(2));
        assertThat(bench.prefixFrom("a", 2, 0).events()).containsExactly("2.0:a-", "2.1:a-");
    }

    @Test
    void who_takes_nothing_gets_it_later_in_order_and_once() {
        FakeOutlet slow = new FakeOutlet();
        WatchHub.Watch watch = bench.open(new Filter.OfPrefix("a"), Optional.empty(), slow);
        FakeOutlet quick = bench.prefix("a");
        bench.apply(1, ended("a"));
        slow.room = 0;
        bench.apply(2, ended("a"), ended("b"));
        bench.apply(3, ended("a"));
        assertThat(slow.events()).containsExactly("1.0:a-");

        slow.room = 10;
        watch.ready();
        bench.settle();
        bench.apply(4, ended("a"));

        assertThat(slow.events()).containsExactly("1.0:a-", "2.0:a-", "3.0:a-", "4.0:a-");
        assertThat(quick.events()).isEqualTo(slow.events());
    }

    @Test
    void who_is_so_slow_that_what_is_next_falls_out_of_the_ring_is_cut_off_and_nobody_else() {
        FakeOutlet slow = bench.prefix("a");
        FakeOutlet quick = bench.prefix("a");
        slow.room = 0;
        for (int index = 1; index <= HubBench.KEPT + 1; index++) {
            bench.apply(index, ended("a"));
        }
        bench.pass(Duration.ofSeconds(1));

        assertThat(slow.end).contains(new WatchEnd.TooSlow(HubBench.KEPT));
        assertThat(slow.events()).isEmpty();
        assertThat(quick.end).isEmpty();
        assertThat(quick.events()).hasSize(HubBench.KEPT + 1);
    }

    @Test
    void who_does_not_take_messages_but_has_none_waiting_is_not_slow() {
        FakeOutlet idle = bench.prefix("z");
        idle.room = 0;
        for (int index = 1; index <= 3 * HubBench.KEPT; index++) {
            bench.apply(index, ended("a"));
        }
        bench.pass(Duration.ofSeconds(60));
        assertThat(idle.end).isEmpty();

        idle.room = 1;
        bench.apply(100, ended("z"));
        assertThat(idle.events()).containsExactly("100.0:z-");
    }

    @Test
    void an_event_is_written_once_and_a_message_made_once_for_all_who_see_the_same() {
        List<FakeOutlet> watchers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            watchers.add(bench.prefix("a"));
        }
        FakeOutlet other = bench.name("a");
        bench.apply(1, ended("a"), ended("a"));

        assertThat(bench.encoder.eventsWritten).isEqualTo(2);
        byte[] shared = watchers.getFirst().messages.getLast();
        assertThat(watchers).allSatisfy(it -> assertThat(it.messages.getLast()).isSameAs(shared));
        assertThat(other.events()).hasSize(2);
    }

    @Test
    void what_nobody_watches_is_not_even_written() {
        bench.name("b");
        bench.apply(1, ended("a"));
        assertThat(bench.encoder.eventsWritten).isZero();
    }

    @Test
    void what_came_in_together_goes_out_together() {
        FakeOutlet watcher = bench.prefix("");
        bench.store(1, ended("a"));
        bench.store(2, ended("b"));
        bench.store(4);
        bench.settle();

        assertThat(watcher.messages).hasSize(2);
        assertThat(watcher.events()).containsExactly("1.0:a-", "2.0:b-");
        assertThat(watcher.completeTo()).isEqualTo(4);
    }

    @Test
    void messages_are_bounded_and_an_entry_may_be_cut_in_two() {
        HubBench large = new HubBench(4_096);
        FakeOutlet watcher = large.prefix("");
        Event[] many = new Event[2_000];
        java.util.Arrays.fill(many, ended("n".repeat(200)));
        large.store(1, ended("a"));
        large.apply(2, many);

        assertThat(watcher.events()).hasSize(2_001).doesNotHaveDuplicates();
        assertThat(watcher.messages).allSatisfy(it -> assertThat(it.length).isLessThan(Transport.LARGE_BYTES + 64));
        assertThat(watcher.messages.get(1)).asString().startsWith("[1]");
        assertThat(watcher.completeTo()).isEqualTo(2);
    }

    @Test
    void when_large_messages_have_taken_what_they_may_others_wait_and_are_sent_small_ones_if_nothing_moves() {
        HubBench large = new HubBench(4_096, 4_096);
        List<WatchHub.Watch> watches = new ArrayList<>();
        List<FakeOutlet> stuck = new ArrayList<>();
        for (int i = 0; i < 2_100; i++) {
            FakeOutlet outlet = new FakeOutlet();
            outlet.room = 2; // the greeting, and one more
            stuck.add(outlet);
            watches.add(large.open(new Filter.OfPrefix("a"), Optional.empty(), outlet));
        }
        FakeOutlet quick = large.prefix("a");
        Event[] many = new Event[200];
        java.util.Arrays.fill(many, ended("a".repeat(500)));
        large.apply(1, many);
        assertThat(stuck.getFirst().messages.getLast().length).isGreaterThan(Transport.SMALL_BYTES + 64);
        assertThat(quick.events()).isEmpty();

        large.pass(Duration.ofSeconds(1));
        assertThat(quick.events()).hasSize(200);
        assertThat(quick.messages).allSatisfy(it -> assertThat(it.length).isLessThan(Transport.SMALL_BYTES + 64));

        watches.forEach(WatchHub.Watch::ready); // the transport has sent what waited
        large.settle();
        large.apply(2, many);
        assertThat(quick.events()).hasSize(400);
        assertThat(quick.messages).anySatisfy(it -> assertThat(it.length).isGreaterThan(Transport.SMALL_BYTES + 64));
    }

    @Test
    void who_leaves_hears_no_more_and_makes_room() {
        List<WatchHub.Watch> watches = new ArrayList<>();
        FakeOutlet first = new FakeOutlet();
        for (int i = 0; i < HubBench.MAX_WATCHERS; i++) {
            watches.add(bench.open(new Filter.OfPrefix("a"), Optional.empty(), i == 0 ? first : new FakeOutlet()));
        }
        assertThat(bench.hub.watch(new Filter.OfPrefix("a"), Optional.empty(), HubBench.PROGRESS, new FakeOutlet()))
                .isEmpty();

        watches.getFirst().close();
        bench.apply(1, ended("a"));

        assertThat(first.events()).isEmpty();
        assertThat(bench.hub.watcherCount()).isEqualTo(HubBench.MAX_WATCHERS - 1);
        bench.prefix("a");
    }

    @Test
    void a_jump_to_a_snapshot_ends_all_watches_for_what_lies_between_was_not_told() {
        FakeOutlet watcher = bench.prefix("");
        bench.apply(1, ended("a"));
        bench.hub.onReplaced(HubBench.table(50));
        bench.apply(51, ended("a"));

        assertThat(watcher.end).get().isInstanceOf(WatchEnd.Interrupted.class);
        assertThat(watcher.events()).containsExactly("1.0:a-");
        assertThat(bench.prefixFrom("", 50, 0).end).contains(new WatchEnd.TooOld(51));
        assertThat(bench.prefixFrom("", 51, 0).events()).containsExactly("51.0:a-");
    }

    @Test
    void a_node_that_is_out_of_touch_ends_its_watches_and_takes_none() {
        FakeOutlet before = bench.prefix("");
        bench.hub.outOfTouch(Optional.of("no leader"));
        bench.settle();
        assertThat(before.end).contains(new WatchEnd.Interrupted("no leader"));
        assertThat(bench.prefix("").end).contains(new WatchEnd.Interrupted("no leader"));

        bench.hub.outOfTouch(Optional.empty());
        FakeOutlet after = bench.prefix("");
        bench.apply(1, ended("a"));
        assertThat(after.events()).hasSize(1);
    }

    @Test
    void events_of_other_locks_cost_a_watcher_nothing_however_many_watch() {
        HubBench large = new HubBench(64);
        FakeOutlet mine = large.watch(new Filter.OfName(new LockName("lock/7")), Optional.empty());
        for (int i = 0; i < 90; i++) {
            if (i != 7) {
                large.watch(new Filter.OfName(new LockName("lock/" + i)), Optional.empty());
            }
        }
        large.apply(1, ended("lock/7"));
        assertThat(mine.events()).containsExactly("1.0:lock/7-");
        assertThat(large.encoder.eventsWritten).isOne();
    }
}
