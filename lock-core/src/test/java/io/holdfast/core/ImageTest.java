package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What no record of a snapshot can say. */
class ImageTest {
    private static final Event EVENT = new Event.SessionOpened(new SessionId(1, 1), "");
    private static final long TTL = Bounds.MIN_TTL_NANOS;
    private static final SessionId S = new SessionId(1, 1);
    private static final LockName K = new LockName("k");
    private static final OwnerImage OF_S = new OwnerImage.OfSession(S);
    private static final FencingToken TOKEN = new FencingToken(1);
    private static final RequestId ID = new RequestId(0, 1);
    private static final Past HELD = new Past(Past.Answer.HELD, 0);
    private static final Owner.OneShot A = new Owner.OneShot("A");
    private static final List<Request> ONE = List.of(new Request.Numbered(1, 0));
    private static final StoreImage.Memory EMPTY = new StoreImage.Memory(0, -1);

    @Test
    void keys_are_in_the_order_of_restoring() {
        LockName l = new LockName("l");
        assertThat(List.<ImageKey>of(
                        new ImageKey.OfSession(S),
                        new ImageKey.OfSession(new SessionId(-1, 0)),
                        new ImageKey.OfLock(K),
                        new ImageKey.OfLock(l),
                        new ImageKey.OfWaiter(K, 2),
                        new ImageKey.OfWaiter(K, 10),
                        new ImageKey.OfWaiter(l, 1),
                        new ImageKey.OfFinished(1),
                        new ImageKey.OfFinished(2),
                        new ImageKey.OfEnded(1),
                        new ImageKey.OfEnded(2),
                        new ImageKey.OfEvent(1),
                        new ImageKey.OfEvent(2)))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @TestFactory
    Stream<DynamicTest> it_is_refused() {
        return Stream.of(
                refused("TTL", () -> session(1, 0, TTL - 1, "", 0)),
                refused("owner_label", () -> session(1, 0, TTL, "\n", 0)),
                refused("sequence", () -> session(0, 0, TTL, "", 0)),
                refused("deadline", () -> session(1, -1, TTL, "", 0)),
                refused("answers seen", () -> session(1, 0, TTL, "", -1)),
                refused("request number", () -> session(1, 0, TTL, "", 2, 2)),
                refused("request number", () -> session(1, 0, TTL, "", 2, 4, 4)),
                refused("request number", () -> new Image.Answered(0, HELD)),
                refused("TTL", () -> new OwnerImage.OneShot(A, 1, 0, Bounds.MAX_TTL_NANOS + 1, "")),
                refused("owner_label", () -> new OwnerImage.OneShot(A, 1, 0, TTL, "\uD800")),
                refused("sequence", () -> new OwnerImage.OneShot(A, 0, 0, TTL, "")),
                refused("deadline", () -> new OwnerImage.OneShot(A, 1, -1, TTL, "")),
                refused("log index", () -> new Image.OfLock(K, OF_S, TOKEN, 0, 0, ONE)),
                refused("granted at", () -> new Image.OfLock(K, OF_S, TOKEN, 1, -1, ONE)),
                refused("sequence", () -> new Image.Revocation(0, 0, "why", "")),
                refused("deadline", () -> new Image.Revocation(1, -1, "why", "")),
                refused("reason", () -> new Image.Revocation(1, 0, "", "")),
                refused("sequence", () -> new Image.OfWaiter(K, 0, OF_S, 1, 0, 0, ONE)),
                refused("log index", () -> new Image.OfWaiter(K, 1, OF_S, 0, 0, 0, ONE)),
                refused("queued at", () -> new Image.OfWaiter(K, 1, OF_S, 1, -1, 0, ONE)),
                refused("deadline", () -> new Image.OfWaiter(K, 1, OF_S, 1, 0, -1, ONE)),
                refused("no request", () -> new Image.OfWaiter(K, 1, OF_S, 1, 0, 0, List.of())),
                refused("ordinal", () -> new Image.OfFinished(0, ID, HELD, 0)),
                refused("finished at", () -> new Image.OfFinished(1, ID, HELD, -1)),
                refused("ordinal", () -> new Image.OfEnded(0, S, End.EXPIRED, 0)),
                refused("ended at", () -> new Image.OfEnded(1, S, End.EXPIRED, -1)),
                refused("GAVE_UP", () -> new Image.OfEnded(1, S, End.GAVE_UP, 0)),
                refused("sequence", () -> new ImageKey.OfWaiter(K, 0)),
                refused("ordinal", () -> new ImageKey.OfFinished(0)),
                refused("ordinal", () -> new ImageKey.OfEnded(0)),
                refused("token", () -> new Past(Past.Answer.HELD, -1)),
                refused("token", () -> new Past(Past.Answer.RELEASED, 0)),
                refused("last ordinal", () -> new StoreImage.Memory(-1, 0)),
                refused("crowded out", () -> new StoreImage.Memory(0, -2)),
                refused("applied index", () -> store(-1, 0, 0, 0, 1)),
                refused("lease time", () -> store(0, -1, 0, 0, 1)),
                refused("last token", () -> store(0, 0, -1, 0, 1)),
                refused("last sequence", () -> store(0, 0, 0, -1, 1)),
                refused("feature level", () -> store(0, 0, 0, 0, 0)),
                refused("feature level", () -> new Command.RaiseFeatureLevel(0)),
                refused("first ordinal", () -> new Changes(StoreImage.NEW, List.of(), List.of(), 0, 1, 1)),
                refused("first ordinal", () -> new Changes(StoreImage.NEW, List.of(), List.of(), 1, 0, 1)),
                refused("first ordinal", () -> new Changes(StoreImage.NEW, List.of(), List.of(), 1, 1, 0)),
                refused("last ordinal", () -> new StoreImage.Events(-1, 0, 0)),
                refused("forgotten", () -> new StoreImage.Events(0, -1, 0)),
                refused("forgotten", () -> new StoreImage.Events(0, 0, -1)),
                refused("ordinal", () -> new LoggedEvent(0, 1, 0, EVENT)),
                refused("log index", () -> new LoggedEvent(1, 0, 0, EVENT)),
                refused("lease time", () -> new LoggedEvent(1, 1, -1, EVENT)));
    }

    private static DynamicTest refused(String what, Supplier<Object> making) {
        return DynamicTest.dynamicTest(
                what,
                () -> assertThatThrownBy(making::get)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(what));
    }

    private static Image session(long sequence, long deadline, long ttl, String label, long seenUpTo, long... answers) {
        List<Image.Answered> answered = Arrays.stream(answers)
                .mapToObj(it -> new Image.Answered(it, HELD))
                .toList();
        return new Image.OfSession(S, sequence, deadline, ttl, label, seenUpTo, answered);
    }

    private static StoreImage store(long index, long clock, long token, long sequence, int level) {
        return new StoreImage(index, clock, token, sequence, level, EMPTY, EMPTY, StoreImage.Events.NONE);
    }
}
