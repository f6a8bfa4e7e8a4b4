package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.GetSessionRequest;
import io.holdfast.v1.GetSessionResponse;
import io.holdfast.v1.KeepSessionsAliveRequest;
import io.holdfast.v1.KeepSessionsAliveResponse;
import io.holdfast.v1.ListSessionsRequest;
import io.holdfast.v1.ListSessionsResponse;
import io.holdfast.v1.RenewSessionsRequest;
import io.holdfast.v1.RenewSessionsResponse;
import io.holdfast.v1.Session;
import io.holdfast.v1.SessionServiceGrpc;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions at a node that answers as the test says. The clock is the real one. */
class SessionsTest {
    private static final Duration TTL = Duration.ofSeconds(2);

    private final Node node = new Node();
    private final BlockingQueue<String> lost = new LinkedBlockingQueue<>();
    private final HoldfastClient client = new HoldfastClient(
            new Router(List.of("n1:1"), node, ClientClock.SYSTEM, Duration.ofSeconds(2)), ClientClock.SYSTEM, 0.01);

    @BeforeEach
    void start() throws Exception {
        node.server.start();
    }

    @AfterEach
    void close() {
        client.close();
        node.server.shutdownNow();
    }

    @Test
    void all_sessions_of_a_client_are_renewed_over_one_stream_and_stay_alive() throws Exception {
        SessionKeepAlive one = keep("1", TTL);
        SessionKeepAlive two = keep("2", TTL);
        long deadline = one.deadlineNanos();

        Set<String> seen = ConcurrentHashMap.newKeySet();
        while (seen.size() < 2 || one.deadlineNanos() == deadline) {
            node.nextRenewal().getSessionIdsList().forEach(id -> seen.add(Answers.hex(id)));
        }

        assertThat(node.streams).hasValue(1);
        assertThat(seen).containsExactlyInAnyOrder(one.id(), two.id());
        assertThat(one.isAlive()).isTrue();
        one.close();
        assertThat(one.isAlive()).isFalse();
        assertThat(lost).isEmpty();
    }

    @Test
    void a_session_that_is_gone_is_lost_and_told_once_and_the_others_go_on() throws Exception {
        SessionKeepAlive one = keep("1", TTL);
        SessionKeepAlive two = keep("2", TTL);
        node.gone.add(one.id());

        assertThat(lost.poll(20, TimeUnit.SECONDS)).isEqualTo(one.id());
        assertThat(one.isAlive()).isFalse();
        while (node.nextRenewal().getSessionIdsCount() != 1) {
            assertThat(two.isAlive()).isTrue();
        }
        assertThat(lost).isEmpty();
    }

    @Test
    void a_stream_that_fails_is_opened_anew() throws Exception {
        node.failures.set(1);
        SessionKeepAlive one = keep("1", Duration.ofSeconds(5));
        long deadline = one.deadlineNanos();

        while (one.deadlineNanos() == deadline) {
            var unused = node.nextRenewal();
        }

        assertThat(node.streams).hasValue(2);
        assertThat(one.isAlive()).isTrue();
    }

    @Test
    void a_session_that_cannot_be_renewed_is_lost_at_its_deadline() throws Exception {
        node.failures.set(Integer.MAX_VALUE);
        SessionKeepAlive one = keep("1", TTL);

        assertThat(lost.poll(20, TimeUnit.SECONDS)).isEqualTo(one.id());
        assertThat(System.nanoTime() - one.deadlineNanos()).isNotNegative();
    }

    @Test
    void a_session_that_does_not_exist_is_not_kept() {
        node.gone.add("1".repeat(32));

        assertThatThrownBy(() -> keep("1", TTL)).isInstanceOf(HoldfastException.NoSuchSession.class);
    }

    @Test
    void sessions_are_listed_page_by_page_and_shown() throws Exception {
        assertThat(client.sessions().list()).extracting(SessionInfo::ownerLabel).containsExactly("a", "b", "c");
        assertThat(client.sessions().get("1".repeat(32)))
                .hasValueSatisfying(it -> assertThat(it.waits()).containsExactly("w"));
    }

    private SessionKeepAlive keep(String digit, Duration ttl) throws InterruptedException {
        SessionInfo session = new SessionInfo(digit.repeat(32), "", "", ttl, ttl, 0, 0);
        return client.sessions().keepAlive(session, (id, reason) -> lost.add(id));
    }

    /** A node with sessions only. */
    private static final class Node extends SessionServiceGrpc.SessionServiceImplBase implements Endpoints {
        final AtomicInteger streams = new AtomicInteger();
        final AtomicInteger failures = new AtomicInteger();
        final Set<String> gone = ConcurrentHashMap.newKeySet();
        private final BlockingQueue<KeepSessionsAliveRequest> renewals = new LinkedBlockingQueue<>();
        private final String name = UUID.randomUUID().toString();
        final Server server =
                InProcessServerBuilder.forName(name).addService(this).build();
        private final ManagedChannel channel =
                InProcessChannelBuilder.forName(name).build();

        KeepSessionsAliveRequest nextRenewal() throws InterruptedException {
            KeepSessionsAliveRequest renewal = renewals.poll(20, TimeUnit.SECONDS);
            assertThat(renewal).isNotNull();
            return renewal;
        }

        @Override
        public Channel to(String endpoint) {
            return channel;
        }

        @Override
        public void close() {
            channel.shutdownNow();
        }

        @Override
        public void renewSessions(RenewSessionsRequest request, StreamObserver<RenewSessionsResponse> out) {
            RenewSessionsResponse.Builder answer = RenewSessionsResponse.newBuilder();
            request.getSessionIdsList().stream()
                    .filter(id -> gone.contains(Answers.hex(id)))
                    .forEach(answer::addGone);
            out.onNext(answer.build());
            out.onCompleted();
        }

        @Override
        public StreamObserver<KeepSessionsAliveRequest> keepSessionsAlive(
                StreamObserver<KeepSessionsAliveResponse> out) {
            streams.incrementAndGet();
            return new StreamObserver<>() {
                @Override
                public void onNext(KeepSessionsAliveRequest request) {
                    if (failures.getAndDecrement() > 0) {
                        out.onError(Status.UNAVAILABLE.asRuntimeException());
                        return;
                    }
                    KeepSessionsAliveResponse.Builder answer =
                            KeepSessionsAliveResponse.newBuilder().setNumber(request.getNumber());
                    request.getSessionIdsList().stream()
                            .filter(id -> gone.contains(Answers.hex(id)))
                            .forEach(answer::addGone);
                    out.onNext(answer.build());
                    renewals.add(request);
                }

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onCompleted() {
                    out.onCompleted();
                }
            };
        }

        @Override
        public void listSessions(ListSessionsRequest request, StreamObserver<ListSessionsResponse> out) {
            ListSessionsResponse.Builder page = ListSessionsResponse.newBuilder();
            if (request.getPage().isEmpty()) {
                page.addSessions(labelled("a"))
                        .addSessions(labelled("b"))
                        .setNextPage(Answers.bytes("page", "2".repeat(32)));
            } else {
                page.addSessions(labelled("c"));
            }
            out.onNext(page.build());
            out.onCompleted();
        }

        @Override
        public void getSession(GetSessionRequest request, StreamObserver<GetSessionResponse> out) {
            out.onNext(GetSessionResponse.newBuilder()
                    .setSession(labelled("a"))
                    .addWaits("w")
                    .build());
            out.onCompleted();
        }

        private static Session labelled(String label) {
            return Session.newBuilder().setOwnerLabel(label).build();
        }
    }
}
