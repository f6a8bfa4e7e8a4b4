package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.holdfast.core.Applied;
import io.holdfast.core.Event;
import io.holdfast.core.LockName;
import io.holdfast.core.Owner;
import io.holdfast.core.Position;
import io.holdfast.v1.WatchEvent;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.v1.WatchServiceGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Watching through a real door on a real socket. */
class WatchEndpointTest {
    private final TestDoor door = TestDoor.leading();
    private long index;

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void a_watcher_is_told_each_event_with_its_place() {
        Client client = watch(WatchRequest.newBuilder().setPrefix("a/").build());
        client.awaitMessages(1);
        apply(queued("a/1"), queued("b"), queued("a/2"));
        apply(queued("a/3"));

        client.awaitEvents(3);
        assertThat(client.events())
                .extracting(WatchEvent::getName, WatchEvent::getLogIndex, WatchEvent::getNumber, WatchEvent::getKind)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("a/1", 1L, 0, WatchEvent.Kind.QUEUED),
                        org.assertj.core.groups.Tuple.tuple("a/2", 1L, 2, WatchEvent.Kind.QUEUED),
                        org.assertj.core.groups.Tuple.tuple("a/3", 2L, 0, WatchEvent.Kind.QUEUED));
        assertThat(client.messages.getLast().getCompleteTo()).isEqualTo(2);
    }

    @Test
    void a_watcher_resumes_within_an_entry() {
        apply(queued("a"), queued("a"));
        apply(queued("a"));
        Client client = watch(WatchRequest.newBuilder()
                .setName("a")
                .setFromIndex(1)
                .setFromNumber(1)
                .build());
        client.awaitEvents(2);
        assertThat(client.events()).extracting(WatchEvent::getLogIndex).containsExactly(1L, 2L);
    }

    @Test
    void what_is_wrong_with_a_request_is_named() {
        assertThat(refusal(WatchRequest.getDefaultInstance())).contains("target is missing");
        assertThat(refusal(WatchRequest.newBuilder().setName("").build())).contains("name");
        assertThat(refusal(
                        WatchRequest.newBuilder().setPrefix("").setFromIndex(-1).build()))
                .contains("from_index is -1");
        assertThat(refusal(
                        WatchRequest.newBuilder().setPrefix("").setFromNumber(1).build()))
                .contains("from_number is 1");
        assertThat(refusal(WatchRequest.newBuilder()
                        .setPrefix("")
                        .setProgressMs(99)
                        .build()))
                .contains("progress_ms is 99 ms");
    }

    @Test
    void what_is_not_kept_any_more_is_refused_with_the_index_to_begin_with() {
        for (int i = 0; i < 70; i++) {
            apply(queued("a"));
        }
        Client client =
                watch(WatchRequest.newBuilder().setPrefix("").setFromIndex(3).build());

        StatusRuntimeException failure = client.awaitEnd();
        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("TOO_OLD");
        assertThat(TestDoor.infoOf(failure).getMetadataMap()).containsEntry("first_index", "7");
    }

    @Test
    void watchers_of_one_connection_are_limited_and_those_that_left_do_not_count() {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < TestDoor.WATCH.maxPerConnection(); i++) {
            clients.add(watch(all()));
            clients.getLast().awaitMessages(1);
        }
        StatusRuntimeException failure = watch(all()).awaitEnd();
        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(TestDoor.infoOf(failure).getMetadataMap()).containsEntry("limit", "watchers of one connection");

        clients.getFirst().cancel();
        await().until(() -> door.hub.watcherCount() == TestDoor.WATCH.maxPerConnection() - 1);
        watch(all()).awaitMessages(1);
    }

    @Test
    void watchers_of_the_node_are_limited() {
        ManagedChannel other = NettyChannelBuilder.forAddress("127.0.0.1", door.door.port())
                .usePlaintext()
                .build();
        try {
            for (int i = 0; i < TestDoor.WATCH.maxWatchers(); i++) {
                Client client = new Client();
                client.open(i < TestDoor.WATCH.maxPerConnection() ? door.channel : other, all());
                client.awaitMessages(1);
            }
            Client excess = new Client();
            excess.open(other, all());
            assertThat(TestDoor.infoOf(excess.awaitEnd()).getMetadataMap())
                    .containsEntry("limit", "watchers of the node");
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void a_watcher_that_takes_nothing_is_cut_off_and_slows_nobody() {
        ManagedChannel narrow = NettyChannelBuilder.forAddress("127.0.0.1", door.door.port())
                .usePlaintext()
                .flowControlWindow(65_535)
                .build();
        try {
            Client slow = new Client();
            slow.takesOnly(1);
            slow.open(narrow, all());
            slow.awaitMessages(1);
            Client quick = watch(all());
            quick.awaitMessages(1);

            // More than fits into all buffers on the way, and then into the ring.
            String longName = "n".repeat(512);
            int sent = 1_000;
            for (int i = 1; i <= sent; i++) {
                apply(queued(longName));
                quick.awaitEvents(i);
            }
            assertThat(quick.events()).hasSize(sent);
            slow.takesAll();
            StatusRuntimeException failure = slow.awaitEnd();
            assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("WATCH_TOO_SLOW");
            assertThat(slow.events())
                    .as("what it got has no gap")
                    .isEqualTo(quick.events().subList(0, slow.events().size()));
        } finally {
            narrow.shutdownNow();
        }
    }

    @Test
    void a_door_that_closes_tells_its_watchers_to_go_elsewhere() {
        Client client = watch(all());
        client.awaitMessages(1);
        door.hub.close();
        assertThat(TestDoor.infoOf(client.awaitEnd()).getReason()).isEqualTo("SHUTTING_DOWN");
    }

    private static WatchRequest all() {
        return WatchRequest.newBuilder().setPrefix("").build();
    }

    private void apply(Event... events) {
        index++;
        door.hub.onApplied(new Applied(new Position(index, 0), List.of(), List.of(events)));
    }

    private static Event queued(String name) {
        return new Event.Queued(new LockName(name), new Owner.OneShot("A"), "me", io.holdfast.core.Mode.EXCLUSIVE);
    }

    private String refusal(WatchRequest request) {
        return String.valueOf(watch(request).awaitEnd().getStatus().getDescription());
    }

    private Client watch(WatchRequest request) {
        Client client = new Client();
        client.open(door.channel, request);
        return client;
    }

    /** A client of one watch. */
    private static final class Client implements ClientResponseObserver<WatchRequest, WatchResponse> {
        final List<WatchResponse> messages = new CopyOnWriteArrayList<>();
        final AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
        private final Context.CancellableContext context = Context.current().withCancellation();
        private @Nullable ClientCallStreamObserver<WatchRequest> call;
        private Optional<Integer> most = Optional.empty();

        void takesOnly(int messages) {
            most = Optional.of(messages);
        }

        void takesAll() {
            Objects.requireNonNull(call).request(1_000_000);
        }

        void open(ManagedChannel channel, WatchRequest request) {
            context.run(() -> WatchServiceGrpc.newStub(channel).watch(request, this));
        }

        void cancel() {
            context.cancel(null);
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
            call = stream;
            most.ifPresent(stream::disableAutoRequestWithInitial);
        }

        @Override
        public void onNext(WatchResponse message) {
            messages.add(message);
        }

        @Override
        public void onError(Throwable failure) {
            end.set(failure);
        }

        @Override
        public void onCompleted() {
            end.set(new IllegalStateException("a watch never ends well"));
        }

        private int eventCount() {
            return messages.stream().mapToInt(WatchResponse::getEventsCount).sum();
        }

        List<WatchEvent> events() {
            return messages.stream()
                    .flatMap(message -> message.getEventsList().stream())
                    .toList();
        }

        void awaitMessages(int count) {
            await().until(() -> messages.size() >= count);
        }

        void awaitEvents(int count) {
            await().pollInterval(Duration.ofMillis(1)).until(() -> eventCount() >= count);
        }

        StatusRuntimeException awaitEnd() {
            await().until(() -> end.get() != null);
            return (StatusRuntimeException) Objects.requireNonNull(end.get());
        }
    }
}
