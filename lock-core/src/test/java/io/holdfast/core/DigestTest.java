package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Two states that differ in one thing have two digests: each pair of logs here leads to such a pair of states. */
class DigestTest {
    private static final long SECOND = 1_000_000_000;
    private static final LockName K = new LockName("k");
    private static final SessionId S = new SessionId(1, 1);
    private static final Owner A = new Owner.OneShot("A");
    private static final Owner OF_S = new Owner.OfSession(S);
    private static final List<Command> TICK = List.of();

    @TestFactory
    Stream<DynamicTest> a_digest_tells_states_apart_by() {
        return Stream.of(
                pair("lease time", List.of(), List.of(at(1, TICK))),
                pair("feature level", one(raise(2)), one(raise(3))),
                pair("name", one(acquire(A, "k", id(1))), one(acquire(A, "kk", id(1)))),
                pair("owner", one(acquire(A, "k", id(1))), one(acquire(new Owner.OneShot("B"), "k", id(1)))),
                pair("request of a hold", one(acquire(A, "k", id(1))), one(acquire(A, "k", id(2)))),
                pair("number of a hold", session(acquire(OF_S, "k", n(1))), session(acquire(OF_S, "k", n(2)))),
                pair(
                        "one more request of a hold",
                        session(acquire(OF_S, "k", n(1)), acquire(OF_S, "k", n(2))),
                        session(acquire(OF_S, "k", n(1)), acquire(OF_S, "k", n(1)))),
                pair("label", one(acquire(A, "k", id(1), 0, "x")), one(acquire(A, "k", id(1), 0, "y"))),
                pair("TTL", one(acquire(A, "k", id(1)), renew(5)), one(acquire(A, "k", id(1)), renew(6))),
                pair(
                        "deadline of a lease",
                        List.of(at(0, List.of(acquire(A, "k", id(1)))), at(1, List.of(renew(0)))),
                        List.of(at(0, List.of(acquire(A, "k", id(1)))), at(1, TICK))),
                pair("wait deadline", queued(waiter("B", 1, 7, "")), queued(waiter("B", 1, 8, ""))),
                pair("request of a waiter", queued(waiter("B", 1, 7, "")), queued(waiter("B", 2, 7, ""))),
                pair("label of a waiter", queued(waiter("B", 1, 7, "")), queued(waiter("B", 1, 7, "y"))),
                pair(
                        "order of a queue",
                        queued(waiter("B", 1, 7, ""), waiter("C", 2, 7, "")),
                        queued(waiter("C", 2, 7, ""), waiter("B", 1, 7, ""))),
                pair("session", one(open(S, 10, "")), one(open(new SessionId(1, 2), 10, ""))),
                pair("TTL of a session", one(open(S, 10, "")), one(open(S, 11, ""))),
                pair("label of a session", one(open(S, 10, "")), one(open(S, 10, "x"))),
                pair("answers seen", session(giveUp(n(3, 0))), session(giveUp(n(3, 2)))),
                pair("an unseen answer's number", session(giveUp(n(2))), session(giveUp(n(3)))),
                pair("an unseen answer", session(giveUp(n(2))), session(release(n(2)))),
                pair("a finished request", one(giveUp(id(1))), one(giveUp(id(2)))),
                pair("the answer to a finished request", one(giveUp(id(1))), one(release(id(1)))),
                pair(
                        "when a request finished",
                        List.of(at(1, List.of(giveUp(id(1)))), at(2, TICK)),
                        List.of(at(1, TICK), at(2, List.of(giveUp(id(1)))))),
                pair(
                        "how far back memory reaches",
                        List.of(at(1, List.of(giveUp(id(1)))), at(2, List.of(giveUp(id(2)))), at(3, TICK)),
                        List.of(at(1, TICK), at(2, List.of(giveUp(id(2)))), at(3, TICK))),
                pair(
                        "the session that ended",
                        one(open(S, 10, ""), new Command.CloseSession(S)),
                        one(open(new SessionId(1, 2), 10, ""), new Command.CloseSession(new SessionId(1, 2)))),
                pair(
                        "the last token",
                        session(acquire(OF_S, "k", n(1)), release(n(2, 1)), giveUp(n(3, 2))),
                        session(giveUp(n(1)), giveUp(n(2, 1)), giveUp(n(3, 2)))),
                pair(
                        "the last sequence number",
                        List.of(at(1, List.of(open(S, 10, ""), new Command.CloseSession(S))), at(99, TICK)),
                        List.of(at(1, TICK), at(99, TICK))));
    }

    @TestFactory
    Stream<DynamicTest> from_level_2_on_a_digest_also_tells_states_apart_by() {
        return Stream.of(
                pair("mode", raised(acquire("A", 1, Terms.PLAIN)), raised(acquire("A", 1, Terms.SHARED))),
                pair("permits", raised(acquire("A", 1, permits(1, 3))), raised(acquire("A", 1, permits(2, 3)))),
                pair("capacity", raised(acquire("A", 1, permits(1, 3))), raised(acquire("A", 1, permits(1, 2)))),
                pair(
                        "one more who shares",
                        raised(acquire("A", 1, Terms.SHARED), acquire("B", 2, Terms.SHARED)),
                        raised(acquire("A", 1, Terms.SHARED), giveUp(id(2)))),
                pair(
                        "value",
                        raised(acquire("A", 1, Terms.PLAIN.withValue("v"))),
                        raised(acquire("A", 1, Terms.PLAIN.withValue("w")))),
                pair("lock-delay", raised(acquire("A", 1, delay(1))), raised(acquire("A", 1, delay(2)))),
                pair("a pause", paused(1), paused(2)),
                pair("request of a set", raised(acquireAll("A", 1)), raised(acquireAll("A", 2))),
                pair(
                        "a set and its parts",
                        raised(acquireAll("A", 1)),
                        raised(acquire("A", 1, Terms.PLAIN), giveUp(id(3)))),
                pair(
                        "mode of a waiter",
                        raised(acquire("A", 1, Terms.PLAIN), acquire("B", 2, Terms.PLAIN)),
                        raised(acquire("A", 1, Terms.PLAIN), acquire("B", 2, Terms.SHARED))));
    }

    private record At(long seconds, List<Command> commands) {}

    private DynamicTest pair(String difference, List<At> one, List<At> other) {
        return DynamicTest.dynamicTest(difference, () -> {
            assertThat(digest(one)).isEqualTo(digest(one)).matches("[0-9a-f]{16}");
            assertThat(digest(one)).isNotEqualTo(digest(other));
        });
    }

    @Test
    void a_digest_does_not_tell_at_which_index_a_state_was_reached() {
        LockTable one = new LockTable(Limits.DEFAULT);
        LockTable other = new LockTable(Limits.DEFAULT);
        for (int i = 1; i <= 3; i++) {
            one.apply(new Position(i, SECOND), List.of(raise(i)));
        }
        other.apply(new Position(7, SECOND), List.of(raise(3)));
        assertThat(one.digest()).isEqualTo(other.digest());
    }

    private static String digest(List<At> log) {
        LockTable table = new LockTable(new Limits(9, 9, 9, 9, 1, 60 * SECOND, 9, 1_000, 1 << 20));
        for (int i = 0; i < log.size(); i++) {
            table.apply(new Position(i + 1, log.get(i).seconds * SECOND), log.get(i).commands);
        }
        return table.digest();
    }

    private static At at(long seconds, List<Command> commands) {
        return new At(seconds, commands);
    }

    private static List<At> one(Command... commands) {
        return List.of(at(0, List.of(commands)));
    }

    private static List<At> raised(Command... commands) {
        return List.of(at(0, List.of(raise(2))), at(0, List.of(commands)));
    }

    private static Command acquire(String owner, long id, Terms terms) {
        return new Command.Acquire(new Owner.OneShot(owner), K, id(id), 10 * SECOND, Bounds.WAIT_FOREVER, "", terms);
    }

    private static Command acquireAll(String owner, long id) {
        List<Want> wants = List.of(new Want(K, Terms.PLAIN), new Want(new LockName("l"), Terms.PLAIN));
        return new Command.AcquireAll(new Owner.OneShot(owner), wants, id(id), 10 * SECOND, 0, "");
    }

    private static Terms delay(long seconds) {
        return new Terms(Mode.EXCLUSIVE, "", seconds * SECOND);
    }

    /** Nothing is left but that nobody gets the lock for a while. */
    private static List<At> paused(long seconds) {
        return List.of(at(0, List.of(raise(2))), at(0, List.of(acquire("A", 1, delay(seconds)))), at(10, TICK));
    }

    private static Terms permits(int permits, int capacity) {
        return new Terms(new Mode.Permits(permits, capacity));
    }

    private static List<At> session(Command... commands) {
        return List.of(at(0, List.of(open(S, 10, ""))), at(0, List.of(commands)));
    }

    private static List<At> queued(Command... commands) {
        return List.of(at(0, List.of(acquire(A, "k", id(100)))), at(0, List.of(commands)));
    }

    private static Command.Acquire acquire(Owner owner, String name, Request request) {
        return acquire(owner, name, request, 0, "");
    }

    private static Command.Acquire acquire(Owner owner, String name, Request request, long wait, String label) {
        return new Command.Acquire(owner, new LockName(name), request, 10 * SECOND, wait * SECOND, label);
    }

    private static Command.Acquire waiter(String owner, long id, long wait, String label) {
        return acquire(new Owner.OneShot(owner), "k", id(id), wait, label);
    }

    private static Command.RenewHold renew(long ttl) {
        return new Command.RenewHold(new Owner.OneShot("A"), K, Optional.empty(), ttl * SECOND);
    }

    private static Command raise(int level) {
        return new Command.RaiseFeatureLevel(level);
    }

    private static Command.OpenSession open(SessionId id, long ttl, String label) {
        return new Command.OpenSession(id, 0, ttl * SECOND, label);
    }

    private static Command.GiveUp giveUp(Request request) {
        return new Command.GiveUp(request instanceof Request.Numbered ? OF_S : A, K, request);
    }

    private static Command.Release release(Request request) {
        return new Command.Release(request instanceof Request.Numbered ? OF_S : A, K, request, Optional.empty());
    }

    private static Request id(long id) {
        return new Request.Identified(new RequestId(0, id), 0);
    }

    private static Request n(long number) {
        return n(number, 0);
    }

    private static Request n(long number, long seenUpTo) {
        return new Request.Numbered(number, seenUpTo);
    }
}
