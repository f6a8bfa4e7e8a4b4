package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.Hold;
import io.holdfast.v1.Lock;
import io.holdfast.v1.Owner;
import io.holdfast.v1.WatchEvent;
import io.holdfast.v1.WatchEvent.Kind;
import io.holdfast.v1.WatchResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchesTest {
    private final FakeNodes nodes = new FakeNodes("watches");
    private final FakeClock clock = new FakeClock();
    private final Watches watches =
            new Watches(new Router(List.of("n1:1", "n2:1"), nodes, clock, Duration.ofSeconds(5)), clock);

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void events_come_one_by_one_in_order() throws Exception {
        nodes.then(out -> {
            out.onNext(complete(10));
            out.onNext(told(12, event(11, 0, Kind.ACQUIRED), event(12, 0, Kind.RELEASED)));
            out.onNext(told(13, event(13, 0, Kind.QUEUED)));
        });
        try (EventStream events = watches.events(WatchRequest.ofPrefix("a"))) {
            events.begin();
            assertThat(List.of(events.next(), events.next(), events.next()))
                    .extracting(LockEvent::logIndex)
                    .containsExactly(11L, 12L, 13L);
        }
        assertThat(nodes.requests.get(0).getPrefix()).isEqualTo("a");
        assertThat(nodes.requests.get(0).getFromIndex()).isZero();
    }

    @Test
    void when_a_node_is_lost_another_goes_on_from_the_first_event_that_has_not_come() throws Exception {
        nodes.then(out -> {
                    out.onNext(complete(10));
                    out.onNext(told(11, event(12, 0, Kind.ACQUIRED), event(12, 3, Kind.RELEASED)));
                    out.onError(Status.UNAVAILABLE.asRuntimeException());
                })
                .then(out -> out.onNext(told(20, event(12, 4, Kind.ACQUIRED))));
        List<String> lost = new ArrayList<>();
        try (EventStream events = watches.events(WatchRequest.ofPrefix("a"), lost::add)) {
            assertThat(List.of(events.next(), events.next(), events.next()))
                    .extracting(LockEvent::number)
                    .containsExactly(0, 3, 4);
        }
        assertThat(nodes.requests.get(1).getFromIndex()).isEqualTo(12);
        assertThat(nodes.requests.get(1).getFromNumber()).isEqualTo(4);
        assertThat(lost).singleElement().asString().doesNotContain(nodes.asked.get(nodes.asked.size() - 1));
    }

    @Test
    void who_was_told_nothing_but_how_far_all_was_told_goes_on_from_there() throws Exception {
        nodes.then(out -> {
                    out.onNext(complete(10));
                    out.onNext(complete(900));
                    out.onError(error(ErrorReason.WATCH_INTERRUPTED, ""));
                })
                .then(out -> out.onNext(told(1_000, event(1_000, 0, Kind.ACQUIRED))));
        try (EventStream events = watches.events(WatchRequest.ofName("a"))) {
            assertThat(events.next().logIndex()).isEqualTo(1_000);
        }
        assertThat(nodes.requests.get(1).getFromIndex()).isEqualTo(901);
        assertThat(nodes.requests.get(1).getName()).isEqualTo("a");
    }

    @Test
    void who_was_cut_off_for_being_slow_goes_on_too() throws Exception {
        nodes.then(out -> {
                    out.onNext(told(5, event(5, 0, Kind.ACQUIRED)));
                    out.onError(error(ErrorReason.WATCH_TOO_SLOW, ""));
                })
                .then(out -> out.onNext(told(6, event(6, 0, Kind.ACQUIRED))));
        try (EventStream events = watches.events(WatchRequest.ofName("a"))) {
            assertThat(events.next().logIndex()).isEqualTo(5);
            assertThat(events.next().logIndex()).isEqualTo(6);
        }
    }

    @Test
    void events_that_are_lost_for_good_end_the_watch_and_say_where_to_begin() {
        nodes.then(out -> out.onError(error(ErrorReason.TOO_OLD, "77")));
        try (EventStream events = watches.events(WatchRequest.ofName("a").from(3))) {
            HoldfastException.TooOld failure = catchThrowableOfType(HoldfastException.TooOld.class, events::next);
            assertThat(failure.firstIndex()).isEqualTo(77);
        }
    }

    @Test
    void a_wrong_request_and_nodes_that_do_not_answer_end_the_watch_at_its_beginning() {
        nodes.then(out -> out.onError(FakeCluster.error(3, ErrorReason.INVALID_FIELD, "prefix")));
        try (EventStream events = watches.events(WatchRequest.ofPrefix("a"))) {
            assertThat(catchThrowableOfType(HoldfastException.InvalidArgument.class, events::next)
                            .field())
                    .isEqualTo("prefix");
        }
        for (int i = 0; i < 100; i++) {
            nodes.then(out -> out.onError(Status.UNAVAILABLE.asRuntimeException()));
        }
        try (EventStream events = watches.events(WatchRequest.ofPrefix("a"))) {
            assertThat(catchThrowableOfType(HoldfastException.Unavailable.class, events::next))
                    .hasMessageContaining("no node could be watched within 5000 ms");
        }
    }

    @Test
    void a_listener_hears_events_until_the_watch_is_closed_and_a_bug_of_its_own_costs_it_nothing() {
        AtomicReference<@Nullable StreamObserver<WatchResponse>> node = new AtomicReference<>();
        nodes.then(out -> {
            out.onNext(told(2, event(1, 0, Kind.ACQUIRED), event(2, 0, Kind.RELEASED)));
            node.set(out);
        });
        List<LockEvent> heard = new CopyOnWriteArrayList<>();
        Watch watch = watches.watch(WatchRequest.ofPrefix(""), new WatchListener() {
            @Override
            public void happened(LockEvent event) {
                heard.add(event);
                if (heard.size() == 1) {
                    throw new IllegalStateException("a bug of the listener");
                }
            }

            @Override
            public void ended(HoldfastException failure) {
                throw new AssertionError(failure);
            }
        });
        await().until(() -> heard.size() == 2);
        watch.close();
        assertThat(heard).extracting(LockEvent::kind).containsExactly(LockEvent.Kind.ACQUIRED, LockEvent.Kind.RELEASED);
    }

    @Test
    void an_observer_is_told_the_present_leader_first_and_then_each_change() throws Exception {
        nodes.present = GetLockResponse.newBuilder()
                .setHeader(FakeNodes.header(100))
                .setLock(Lock.newBuilder()
                        .addHolders(Hold.newBuilder()
                                .setOwner(Owner.newBuilder().setId("A"))
                                .setToken(7)))
                .build();
        nodes.then(out -> {
            out.onNext(complete(100));
            out.onNext(told(
                    105,
                    event(101, 0, Kind.QUEUED),
                    leading(102, 0, Kind.VALUE_CHANGED, "A", "b:2"),
                    event(103, 0, Kind.EXPIRED),
                    leading(103, 1, Kind.ACQUIRED, "B", "c:3")));
        });
        try (LeaderStream leaders = watches.leaders("election", reason -> {})) {
            assertThat(leaders.next()).map(Leader::owner).hasValue("A");
            assertThat(leaders.next()).map(Leader::value).hasValue("b:2");
            assertThat(leaders.next()).isEmpty();
            assertThat(leaders.next()).map(Leader::owner).hasValue("B");
        }
        assertThat(nodes.requests.get(0).getFromIndex()).isEqualTo(101);
    }

    @Test
    void an_observer_whose_events_are_lost_goes_on_with_the_present_leader() throws Exception {
        nodes.then(out -> out.onError(error(ErrorReason.TOO_OLD, "50")))
                .then(out -> out.onNext(told(70, leading(70, 0, Kind.ACQUIRED, "B", ""))));
        try (LeaderStream leaders = watches.leaders("election", reason -> {})) {
            assertThat(leaders.next()).isEqualTo(Optional.empty());
            nodes.present =
                    GetLockResponse.newBuilder().setHeader(FakeNodes.header(60)).build();
            assertThat(leaders.next()).isEqualTo(Optional.empty());
            assertThat(leaders.next()).map(Leader::owner).hasValue("B");
        }
        assertThat(nodes.requests.get(1).getFromIndex()).isEqualTo(61);
    }

    private static WatchResponse complete(long index) {
        return WatchResponse.newBuilder().setCompleteTo(index).build();
    }

    private static WatchResponse told(long completeTo, WatchEvent... events) {
        return WatchResponse.newBuilder()
                .setCompleteTo(completeTo)
                .addAllEvents(List.of(events))
                .build();
    }

    private static WatchEvent event(long index, int number, Kind kind) {
        return WatchEvent.newBuilder()
                .setLogIndex(index)
                .setNumber(number)
                .setKind(kind)
                .setName("a")
                .build();
    }

    private static WatchEvent leading(long index, int number, Kind kind, String owner, String value) {
        return event(index, number, kind).toBuilder()
                .setOwner(Owner.newBuilder().setId(owner))
                .setValue(value)
                .build();
    }

    private static StatusRuntimeException error(ErrorReason reason, String firstIndex) {
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.OUT_OF_RANGE.value())
                .setMessage("no more")
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setDomain("holdfast")
                        .setReason(reason.name())
                        .putMetadata("first_index", firstIndex)
                        .build()))
                .build());
    }
}
