package io.holdfast.core;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What the next snapshot must write and delete, and what it may leave as it is. */
class SnapshotTest {
    private static final Duration TTL = ofSeconds(10);

    private final World world = new World();

    @Test
    void an_entry_that_changes_no_record_leaves_nothing_to_write_but_the_store_itself() {
        world.tries("k", "A", TTL);
        world.save();
        world.pass(ofSeconds(1));
        assertThat(world.table.changeCount()).isZero();
        Changes changes = world.save();
        assertThat(changes.present()).isEmpty();
        assertThat(changes.gone()).isEmpty();
        assertThat(changes.store().appliedIndex()).isEqualTo(world.index());
        assertThat(changes.store().clockNanos()).isEqualTo(ofSeconds(1).toNanos());
    }

    @Test
    void what_was_made_and_is_gone_between_two_snapshots_leaves_no_record() {
        world.tries("k", "A", TTL);
        world.waits("k", "B", TTL).giveUp();
        world.release("k", "A");
        var client = world.session(TTL);
        client.tries("k");
        client.close();
        Changes changes = world.save();
        assertThat(changes.gone()).isEmpty();
        assertThat(changes.present())
                .hasSize(4)
                .allSatisfy(it -> assertThat(it).isInstanceOfAny(Image.OfFinished.class, Image.OfEnded.class));
    }

    @Test
    void what_was_saved_and_is_gone_is_deleted() {
        var client = world.session(TTL);
        var hold = client.tries("of a session");
        world.tries("released", "A", TTL);
        world.tries("expiring", "A", TTL);
        var waiter = world.waits("expiring", "B", TTL);
        assertThat(hold.holds() && waiter.waits()).isTrue();
        List<ImageKey> all = keys(world.save().present());
        world.release("released", "A");
        world.pass(TTL);
        assertThat(world.isEmpty()).isTrue();
        assertThat(all).hasSize(5);
        assertThat(world.save().gone()).containsExactlyElementsOf(all);
        assertThat(world.saved.records.keySet())
                .allSatisfy(it -> assertThat(it).isInstanceOfAny(ImageKey.OfFinished.class, ImageKey.OfEnded.class));
    }

    @Test
    void a_lock_that_passes_on_is_one_record_and_its_waiter_none() {
        world.tries("k", "A", TTL);
        var next = world.waits("k", "B", TTL);
        world.save();
        world.release("k", "A");
        Changes changes = world.save();
        assertThat(changes.gone())
                .singleElement()
                .isInstanceOfSatisfying(
                        ImageKey.OfWaiter.class, it -> assertThat(it.name()).isEqualTo(name("k")));
        assertThat(changes.present().get(0))
                .isInstanceOfSatisfying(
                        Image.OfLock.class, it -> assertThat(it.token().value()).isEqualTo(next.token()));
    }

    @Test
    void a_name_that_is_taken_again_is_replaced_and_gone_if_it_is_gone_again() {
        world.tries("k", "A", TTL);
        world.save();
        world.release("k", "A");
        world.tries("k", "B", TTL);
        assertThat(keys(world.save().present())).contains(new ImageKey.OfLock(name("k")));
        world.release("k", "B");
        world.tries("k", "C", TTL);
        world.release("k", "C");
        assertThat(world.save().gone()).containsExactly(new ImageKey.OfLock(name("k")));
    }

    @Test
    void a_renewal_writes_the_one_record_in_which_the_lease_lies() {
        var client = world.session(TTL);
        client.tries("a");
        client.tries("b");
        world.tries("c", "A", TTL);
        var waiter = world.waits("c", "B", TTL);
        world.save();
        world.pass(ofSeconds(1));
        client.renew();
        assertThat(keys(world.save().present())).containsExactly(new ImageKey.OfSession(client.id));
        world.renew("c", "A");
        assertThat(keys(world.save().present())).containsExactly(new ImageKey.OfLock(name("c")));
        waiter.again();
        assertThat(keys(world.save().present())).singleElement().isInstanceOf(ImageKey.OfWaiter.class);
        world.renew("c", "A", ofMillis(500));
        assertThat(world.save().present())
                .as("a TTL that is shorter, so that the deadline stays")
                .singleElement()
                .isEqualTo(world.saved.records.get(new ImageKey.OfLock(name("c"))));
        assertThat(world.restored().lock("c")).isEqualTo(world.lock("c"));
    }

    @Test
    void a_request_more_that_a_hold_or_a_waiter_answers_is_written() {
        var client = world.session(TTL);
        client.tries("held");
        world.tries("waited for", "A", TTL);
        client.asks("waited for", ofSeconds(1));
        world.save();
        var again = client.tries("held");
        assertThat(keys(world.save().present())).containsExactly(new ImageKey.OfLock(name("held")));
        var longer = client.asks("waited for", ofSeconds(2));
        assertThat(keys(world.save().present())).singleElement().isInstanceOf(ImageKey.OfWaiter.class);
        longer.giveUp();
        assertThat(keys(world.save().present()))
                .hasSize(2)
                .contains(new ImageKey.OfSession(client.id))
                .anySatisfy(it -> assertThat(it).isInstanceOf(ImageKey.OfWaiter.class));
        assertThat(again.holds()).isTrue();
    }

    @Test
    void what_the_client_of_a_session_has_seen_is_written_and_what_it_may_ask_for_again() {
        var client = world.session(TTL);
        client.tries("k");
        client.release("k");
        world.save();
        assertThat(session(client).answers()).hasSize(2);
        client.seenUpTo = 2;
        client.tries("k");
        world.save();
        assertThat(session(client).seenUpTo()).isEqualTo(2);
        assertThat(session(client).answers()).isEmpty();
    }

    @Test
    void memories_are_written_from_where_the_last_snapshot_ends_and_forgotten_in_the_order_of_finishing() {
        for (int i = 0; i < 3; i++) {
            world.tries("k", "A", TTL);
            world.release("k", "A");
            world.pass(ofSeconds(25));
        }
        assertThat(world.save().firstFinished())
                .as("the first, 75 s ago, is forgotten")
                .isEqualTo(3);
        world.tries("k", "A", TTL);
        World restored = world.restored();
        restored.release("k", "A");
        Changes changes = restored.save();
        assertThat(changes.present())
                .extracting(Image::key)
                .containsExactly(new ImageKey.OfFinished(7), new ImageKey.OfFinished(8));
        assertThat(changes.gone()).containsExactly(new ImageKey.OfLock(name("k")));
    }

    @Test
    void a_request_that_finishes_anew_has_one_record() {
        world.tries("another", "B", TTL);
        world.release("another", "B");
        var ask = world.tries("k", "A", TTL);
        // A client that uses the id of its acquire for a release under a token that is not the hold's.
        world.run(new Command.Release(ask.command.owner(), name("k"), ask.command.request(), token(ask.token() + 1)));
        world.save();
        assertThat(world.saved.records).containsKey(new ImageKey.OfFinished(3));
        world.release("k", "A");
        assertThat(world.save().gone()).contains(new ImageKey.OfFinished(3));
        assertThat(world.saved.records.values()).containsExactlyElementsOf(world.table.images());
    }

    @Test
    void after_a_failed_write_the_whole_state_is_written_anew_and_nothing_is_left_over() {
        world.tries("stays", "A", TTL);
        world.tries("goes", "B", TTL);
        world.save();
        world.release("goes", "B");
        world.tries("comes", "C", TTL);
        world.table.takeChanges(); // and the disk is full
        world.tries("comes later", "D", TTL);
        world.saved.rewrite(world.table);
        world.release("comes", "C");
        world.release("comes later", "D");
        world.save();
        assertThat(world.saved.records.values()).containsExactlyElementsOf(world.table.images());
        assertThat(world.restored().table.digest()).isEqualTo(world.table.digest());
    }

    @Test
    void a_session_id_that_ended_long_ago_and_is_used_again_is_one_record() {
        var client = world.session(TTL);
        world.save();
        client.close();
        world.pass(ofSeconds(61));
        world.run(new Command.OpenSession(client.id, ofSeconds(61).toNanos(), TTL.toNanos(), "another"));
        Changes changes = world.save();
        assertThat(changes.gone()).isEmpty();
        assertThat(changes.present()).singleElement().isEqualTo(session(client));
    }

    @Test
    void what_is_taken_is_in_the_order_of_keys() {
        world.waits("b", "A", TTL);
        world.waits("b", "B", TTL);
        world.session(TTL).close();
        world.session(TTL).tries("a");
        world.waits("a", "C", TTL);
        world.release("b", "A");
        List<ImageKey> keys = keys(world.save().present());
        assertThat(keys).isSorted().doesNotHaveDuplicates().hasSize(7);
        assertThat(keys.stream().map(Object::getClass).distinct()).hasSize(5);
        assertThat(keys(StreamSupport.stream(world.table.images().spliterator(), false)
                        .toList()))
                .isEqualTo(keys);
    }

    private Image.OfSession session(World.Client client) {
        return (Image.OfSession) Objects.requireNonNull(world.saved.records.get(new ImageKey.OfSession(client.id)));
    }

    private static List<ImageKey> keys(List<Image> images) {
        return images.stream().map(Image::key).toList();
    }

    private static LockName name(String name) {
        return new LockName(name);
    }

    private static Optional<FencingToken> token(long value) {
        return Optional.of(new FencingToken(value));
    }
}
