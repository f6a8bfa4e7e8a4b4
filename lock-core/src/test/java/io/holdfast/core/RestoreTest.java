package io.holdfast.core;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A table comes back from a snapshot whole, or not at all. */
class RestoreTest {
    private static final Duration TTL = ofSeconds(10);
    private static final StoreImage STORE = new StoreImage(
            20,
            100,
            9 * 65_536,
            9,
            1,
            new StoreImage.Memory(9, -1),
            new StoreImage.Memory(9, -1),
            StoreImage.Events.NONE);
    private static final SessionId S = new SessionId(1, 1);
    private static final Request ID = new Request.Identified(new RequestId(0, 1), 0);

    private final World world = new World();

    @Test
    void a_new_store_has_a_snapshot_too() {
        assertThat(world.restored().table.digest()).isEqualTo(world.table.digest());
        assertThat(world.table.takeChanges().store()).isEqualTo(StoreImage.NEW);
    }

    @Test
    void the_queue_stands_in_the_order_in_which_it_formed() {
        world.tries("k", "A", TTL);
        for (String owner : List.of("D", "B", "C")) {
            world.waits("k", owner, ofSeconds(60));
        }
        World restored = world.restored();
        assertThat(restored.queue("k")).containsExactly("D", "B", "C");
        restored.release("k", "A");
        restored.waits("k", "A", TTL);
        assertThat(restored.holder("k")).contains("D");
        assertThat(restored.queue("k")).containsExactly("B", "C", "A");
    }

    @Test
    void a_lease_ends_when_it_would_have_ended() {
        world.tries("k", "A", TTL);
        world.pass(ofSeconds(4));
        World restored = world.restored();
        restored.pass(ofSeconds(5));
        assertThat(restored.holder("k")).contains("A");
        restored.pass(ofSeconds(1));
        assertThat(restored.holder("k")).isEmpty();
    }

    @Test
    void a_request_that_finished_before_the_snapshot_is_not_carried_out_again() {
        var ask = world.tries("k", "A", TTL);
        world.release("k", "A");
        var client = world.session(TTL);
        var numbered = client.tries("n");
        client.release("n");
        World restored = world.restored();
        assertThat(restored.run(ask.command)).isEqualTo(ask.again());
        assertThat(restored.run(numbered.command)).isEqualTo(numbered.again());
        assertThat(restored.lock("k")).isEmpty();
        assertThat(restored.lock("n")).isEmpty();
    }

    @Test
    void the_feature_level_comes_back() {
        world.run(new Command.RaiseFeatureLevel(3));
        assertThat(world.run(new Command.RaiseFeatureLevel(2))).isEqualTo(new Outcome.FeatureLevel(3));
        assertThat(world.restored().table.featureLevel()).isEqualTo(3);
    }

    /** A cluster that lost its log begins another at an index that the lost one cannot have reached. */
    @Test
    void a_store_may_go_on_at_a_higher_index_and_its_tokens_follow() {
        var before = world.tries("k", "A", TTL);
        var next = world.waits("k", "B", TTL);
        world.save();
        long begin = world.index() + (1L << 34);
        LockTable restored =
                LockTable.restore(Limits.DEFAULT, world.saved.store.at(begin), world.saved.records.values());
        assertThat(restored.appliedIndex()).isEqualTo(begin);
        assertThat(restored.digest()).isEqualTo(world.table.digest());
        assertThatThrownBy(() -> restored.apply(new Position(begin, 0), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        Command release = world.releasing("k", "A");
        assertThat(restored.apply(new Position(begin + 1, 0), List.of(release)).outcomes())
                .containsExactly(new Outcome.Released(new FencingToken(before.token())));
        HoldView hold = ((Outcome.Granted) restored.standing(next.command)).hold();
        assertThat(hold.token().value()).isEqualTo((begin + 1) * FencingToken.PER_ENTRY);
        assertThat(hold.logIndex()).isEqualTo(begin + 1);
        assertThatThrownBy(() -> world.saved.store.at(0)).isInstanceOf(IllegalArgumentException.class);
    }

    /** As RocksDB has them: by bytes of UTF-8, which is not the order of names in the table. */
    @Test
    void names_may_come_in_the_order_of_their_bytes() {
        world.waits("\uFFFD", "A", TTL);
        world.waits("\uFFFD", "B", TTL);
        world.waits("\uD83D\uDD12", "A", TTL);
        world.waits("\uD83D\uDD12", "B", TTL);
        world.save();
        List<Image> byBytes = new ArrayList<>(world.saved.records.values());
        Comparator<Image> byType = Comparator.comparing(it -> it instanceof Image.OfLock ? 1 : 2);
        byBytes.sort(byType.thenComparing(it -> it.toString().contains("\uFFFD") ? 1 : 2));
        assertThat(byBytes).isNotEqualTo(List.copyOf(world.saved.records.values()));
        assertThat(LockTable.restore(Limits.DEFAULT, world.saved.store, byBytes).digest())
                .isEqualTo(world.table.digest());
    }

    @TestFactory
    Stream<DynamicTest> a_snapshot_is_refused_that_has() {
        return Stream.of(
                refused("a session twice", "there are two", session(1), session(2)),
                refused("a lock twice", "excludes", hold("k", 1, "A", 1), hold("k", 2, "B", 2)),
                refused("a hold of a session that is not there", "no session", holdOfSession("k", 1)),
                refused(
                        "a waiter of a session that is not there",
                        "no session",
                        hold("k", 1, "A", 1),
                        waiterOfSession()),
                refused("a waiter for a free lock", "nobody holds", waiter("k", 2, "B", 1)),
                refused("a waiter of a lock that nobody holds", "nobody holds", waiter("k", 2, "B", 1)),
                refused("a waiter that holds", "holds the lock", hold("k", 1, "A", 1), waiter("k", 3, "A", 2)),
                refused(
                        "a waiter twice",
                        "waits already",
                        hold("k", 1, "A", 1),
                        waiter("k", 3, "B", 2),
                        waiter("k", 5, "B", 4)),
                refused(
                        "one who shares beside one who does not",
                        "excludes",
                        hold("k", 1, "A", 1),
                        share("k", 2, "B", 2)),
                refused("one alone beside one who shares", "excludes", share("k", 1, "A", 1), hold("k", 2, "B", 2)),
                refused("one who shares twice", "holds the lock", share("k", 1, "A", 1), share("k", 2, "A", 2)),
                refused("two leases of one sequence", "sequence 1 ", session(1), hold("k", 1, "A", 1)),
                refused("two holds of one token", "token 1 ", hold("k", 1, "A", 1), hold("l", 1, "B", 2)),
                refused("a sequence of the future", "sequence is 10", session(10)),
                refused("a token of the future", "token is 589825", hold("k", 9 * 65_536 + 1, "A", 1)),
                refused("a hold granted at an index of the future", "log index is 21", hold("k", 21, 100)),
                refused("a hold granted at a time of the future", "granted at is 101", hold("k", 20, 101)),
                refused(
                        "a waiter of a time of the future",
                        "queued at is 101",
                        hold("k", 1, "A", 1),
                        waiterAt(20, 101)),
                refused(
                        "a waiter of an index of the future",
                        "log index is 21",
                        hold("k", 1, "A", 1),
                        waiterAt(21, 100)),
                refused("an ordinal of the future", "last ordinal is 9", finished(10, 1, 0)),
                refused("a revocation of the future", "sequence is 10", revoked("k", 5, "A", 1, 10)),
                refused("a revocation with the number of a lease", "given out twice", revoked("k", 5, "A", 1, 1)),
                refused("a finished request of the future", "finished at is 101", finished(1, 1, 101)),
                refused("an ordinal twice", "finished later", finished(1, 1, 0), finished(1, 2, 0)),
                refused("ordinals out of order", "finished later", finished(2, 1, 0), finished(1, 2, 0)),
                refused("finish times out of order", "finished later", finished(1, 1, 5), finished(2, 2, 4)),
                refused("a finished request twice", "twice", finished(1, 1, 0), finished(2, 1, 0)),
                refused("a session that ended twice", "twice", ended(1, S, 0), ended(2, S, 0)),
                refused("a session that ended in the future", "ended at is 101", ended(1, S, 101)),
                refused("a session that ended and lives", "lives", session(1), ended(1, S, 0)));
    }

    @TestFactory
    Stream<DynamicTest> a_snapshot_of_level_2_is_refused_that_has() {
        return Stream.of(
                refused(
                        "a set under two owners",
                        "not like k",
                        part("k", 1, "A", 1, List.of()),
                        part("l", 1, "B", 2, List.of())),
                refused(
                        "a set under two leases",
                        "not like k",
                        part("k", 1, "A", 1, List.of()),
                        part("l", 1, "A", 2, List.of())),
                refused("two sets of one token", "token 1 ", part("k", 1, "A", 1, List.of()), hold("l", 1, "B", 2)),
                refused(
                        "one that waits for a semaphore of another capacity",
                        "capacity",
                        hold("k", 1, "A", 1),
                        waiterFor("k", 3, "B", 2, new Terms(new Mode.Permits(1, 1)))));
    }

    @Test
    void a_store_that_forgot_what_has_not_finished_yet_is_refused() {
        StoreImage.Memory good = new StoreImage.Memory(9, 100);
        StoreImage.Memory bad = new StoreImage.Memory(9, 101);
        LockTable.restore(
                Limits.DEFAULT, new StoreImage(20, 100, 1, 1, 1, good, good, StoreImage.Events.NONE), List.of());
        for (StoreImage store : List.of(
                new StoreImage(20, 100, 1, 1, 1, bad, good, StoreImage.Events.NONE),
                new StoreImage(20, 100, 1, 1, 1, good, bad, StoreImage.Events.NONE))) {
            assertThatThrownBy(() -> LockTable.restore(Limits.DEFAULT, store, List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("crowded out up to is 101");
        }
    }

    private static DynamicTest refused(String what, String why, Image... images) {
        return DynamicTest.dynamicTest(
                what,
                () -> assertThatThrownBy(() -> LockTable.restore(Limits.DEFAULT, STORE, List.of(images)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(why));
    }

    private static Image session(long sequence) {
        return new Image.OfSession(S, sequence, 200, TTL.toNanos(), "", 0, List.of());
    }

    private static Image hold(String name, long token, String owner, long sequence) {
        return new Image.OfLock(
                new LockName(name), oneShot(owner, sequence), new FencingToken(token), 1, 0, List.of(ID));
    }

    private static Image share(String name, long token, String owner, long sequence) {
        OwnerImage image = oneShot(owner, sequence);
        return new Image.OfLock(
                new LockName(name),
                image,
                new FencingToken(token),
                1,
                0,
                List.of(ID),
                Terms.SHARED,
                List.of(),
                Optional.empty());
    }

    private static Image revoked(String name, long token, String owner, long leaseSequence, long sequence) {
        return new Image.OfLock(
                new LockName(name),
                oneShot(owner, leaseSequence),
                new FencingToken(token),
                1,
                0,
                List.of(ID),
                Terms.PLAIN,
                List.of(),
                Optional.of(new Image.Revocation(sequence, 150, "why", "")));
    }

    private static Image part(String name, long token, String owner, long sequence, List<Request> requests) {
        OwnerImage image = oneShot(owner, sequence);
        return new Image.OfLock(
                new LockName(name),
                image,
                new FencingToken(token),
                1,
                0,
                requests,
                Terms.PLAIN,
                List.of(ID),
                Optional.empty());
    }

    private static Image waiterFor(String name, long sequence, String owner, long leaseSequence, Terms terms) {
        OwnerImage image = oneShot(owner, leaseSequence);
        return new Image.OfWaiter(new LockName(name), sequence, image, 1, 0, 300, List.of(ID), terms, List.of());
    }

    private static Image hold(String name, long logIndex, long atNanos) {
        return new Image.OfLock(
                new LockName(name), oneShot("A", 1), new FencingToken(1), logIndex, atNanos, List.of(ID));
    }

    private static Image holdOfSession(String name, long token) {
        return new Image.OfLock(
                new LockName(name), new OwnerImage.OfSession(S), new FencingToken(token), 1, 0, List.of(ID));
    }

    private static Image waiter(String name, long sequence, String owner, long leaseSequence) {
        return new Image.OfWaiter(new LockName(name), sequence, oneShot(owner, leaseSequence), 1, 0, 300, List.of(ID));
    }

    private static Image waiterOfSession() {
        return new Image.OfWaiter(new LockName("k"), 2, new OwnerImage.OfSession(S), 1, 0, 300, List.of(ID));
    }

    private static Image waiterAt(long logIndex, long queuedAtNanos) {
        return new Image.OfWaiter(new LockName("k"), 3, oneShot("B", 2), logIndex, queuedAtNanos, 300, List.of(ID));
    }

    private static OwnerImage oneShot(String owner, long sequence) {
        return new OwnerImage.OneShot(new Owner.OneShot(owner), sequence, 200, TTL.toNanos(), "");
    }

    private static Image finished(long ordinal, long id, long atNanos) {
        return new Image.OfFinished(ordinal, new RequestId(0, id), Past.of(Past.Answer.HELD), atNanos);
    }

    private static Image ended(long ordinal, SessionId session, long atNanos) {
        return new Image.OfEnded(ordinal, session, End.EXPIRED, atNanos);
    }
}
