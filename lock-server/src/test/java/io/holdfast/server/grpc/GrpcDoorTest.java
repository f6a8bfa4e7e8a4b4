package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.holdfast.core.Bounds;
import io.holdfast.core.Command;
import io.holdfast.core.Outcome;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.core.SessionId;
import io.holdfast.server.config.GrpcConfig;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.GetNodeStatusRequest;
import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.Lock;
import io.holdfast.v1.OpenSessionRequest;
import io.holdfast.v1.RequestTag;
import java.net.BindException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GrpcDoorTest {
    private final TestDoor door = TestDoor.leading();

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void a_request_becomes_a_command_field_by_field() {
        door.store.answerNext(new Outcome.Held(Optional.empty()));
        acquire(it -> it.setOwnerLabel("host-a")
                .setWaitMs(-1)
                .setTag(RequestTag.newBuilder().setId(Requests.id(9)).setIssuedAt(77)));

        Command.Acquire acquire = (Command.Acquire) door.store.last();
        assertThat(acquire.owner()).isEqualTo(new io.holdfast.core.Owner.OneShot("A"));
        assertThat(acquire.name().value()).isEqualTo("a");
        assertThat(acquire.label()).isEqualTo("host-a");
        assertThat(acquire.ttlNanos()).isEqualTo(10_000_000_000L);
        assertThat(acquire.waitNanos()).isEqualTo(Bounds.WAIT_FOREVER);
        assertThat(acquire.request()).isEqualTo(new Request.Identified(new RequestId(0x1020304050607080L, 9), 77));

        door.store.answerNext(new Outcome.Held(Optional.empty()));
        acquire(it -> it.setOwner(Requests.session(Requests.id(4)))
                .setTtlMs(0)
                .setWaitMs(1_500)
                .setTag(RequestTag.newBuilder().setNumber(8).setSeenUpTo(7)));

        Command.Acquire inSession = (Command.Acquire) door.store.last();
        assertThat(inSession.owner())
                .isEqualTo(new io.holdfast.core.Owner.OfSession(new SessionId(0x1020304050607080L, 4)));
        assertThat(inSession.request()).isEqualTo(new Request.Numbered(8, 7));
        assertThat(inSession.waitNanos()).isEqualTo(1_500_000_000L);
    }

    @Test
    void a_request_that_does_not_say_when_it_was_issued_was_issued_now() {
        door.store.passTo(123_456_789);

        acquire(it -> it);

        assertThat(((Command.Acquire) door.store.last()).request())
                .isInstanceOfSatisfying(
                        Request.Identified.class,
                        it -> assertThat(it.issuedAtNanos()).isEqualTo(123_456_789));
    }

    @Test
    void an_ask_blocks_for_a_third_of_the_ttl_at_most() {
        assertThat(blockOf(it -> it.setWaitMs(60_000).setTtlMs(9_000))).isEqualTo(Duration.ofSeconds(3));
        assertThat(blockOf(it -> it.setWaitMs(60_000).setTtlMs(9_000).setBlockMs(500)))
                .isEqualTo(Duration.ofMillis(500));
        assertThat(blockOf(it -> it.setWaitMs(60_000).setTtlMs(9_000).setBlockMs(5_000)))
                .isEqualTo(Duration.ofSeconds(3));
        assertThat(blockOf(it -> it.setWaitMs(0).setTtlMs(9_000))).isEqualTo(Duration.ZERO);
    }

    @Test
    void an_ask_of_a_session_blocks_for_a_third_of_the_sessions_ttl() {
        var unused = door.sessions()
                .openSession(OpenSessionRequest.newBuilder()
                        .setSessionId(Requests.id(4))
                        .setTtlMs(30_000)
                        .build());

        assertThat(blockOf(it -> it.setOwner(Requests.session(Requests.id(4)))
                        .setTtlMs(0)
                        .setTag(Requests.number(1))
                        .setWaitMs(-1)))
                .isEqualTo(Duration.ofSeconds(10));
        StatusRuntimeException unknown = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> acquire(it -> it.setOwner(Requests.session(Requests.id(5)))
                        .setTtlMs(0)
                        .setTag(Requests.number(1))
                        .setWaitMs(-1)));
        assertThat(TestDoor.infoOf(unknown).getReason()).isEqualTo("NO_SUCH_SESSION");
        assertThat(door.store.lastBlock()).isEqualTo(Duration.ZERO);
    }

    @Test
    void an_ask_is_answered_before_its_client_gives_up() {
        var unused = door.locks()
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .acquire(Requests.acquire("a", "A")
                        .setTtlMs(600_000)
                        .setWaitMs(-1)
                        .build());

        assertThat(door.store.lastBlock()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(18));
    }

    @Test
    void a_lock_is_shown_with_holder_and_queue() {
        acquire(it -> it);
        for (int i = 0; i < 3; i++) {
            int n = i;
            acquire(it -> it.setOwner(Requests.owner("W" + n)).setWaitMs(n == 0 ? -1 : 5_000));
        }

        Lock lock = door.locks()
                .getLock(GetLockRequest.newBuilder()
                        .setName("a")
                        .setMaxWaiters(2)
                        .build())
                .getLock();

        assertThat(lock.getMode()).isEqualTo(Lock.Mode.EXCLUSIVE);
        assertThat(lock.getHolders(0).getOwner().getId()).isEqualTo("A");
        assertThat(lock.getHolders(0).getToken() / 65_536)
                .isEqualTo(lock.getHolders(0).getLogIndex());
        assertThat(lock.getWaitersList())
                .extracting(it -> it.getOwner().getId(), it -> it.getWaitRemainingMs())
                .containsExactly(tuple("W0", -1L), tuple("W1", 5_000L));
        assertThat(lock.getWaiterCount()).isEqualTo(3);
    }

    @Test
    void locks_are_listed_page_by_page() {
        for (String name : new String[] {"b/1", "b/2", "b/3", "c"}) {
            acquire(it -> it.setName(name));
        }
        ListLocksResponse first = list("b/", "", false);
        ListLocksResponse second = list("b/", "b/2", true);

        assertThat(first.getLocksList()).extracting(Lock::getName).containsExactly("b/1", "b/2");
        assertThat(first.getMore()).isTrue();
        assertThat(second.getLocksList()).extracting(Lock::getName).containsExactly("b/3");
        assertThat(second.getMore()).isFalse();
    }

    private ListLocksResponse list(String prefix, String after, boolean stale) {
        return door.locks()
                .listLocks(ListLocksRequest.newBuilder()
                        .setPrefix(prefix)
                        .setAfter(after)
                        .setPageSize(2)
                        .setStale(stale)
                        .build());
    }

    @Test
    void a_page_that_would_be_too_large_for_a_client_ends_early() {
        String padding = "x".repeat(500);
        for (int i = 0; i < 1_000; i++) {
            int n = i;
            acquire(it -> it.setName(padding + "/" + n)
                    .setOwner(Requests.owner(padding.substring(0, 250)))
                    .setOwnerLabel(padding.substring(0, 250)));
        }
        int seen = 0;
        String after = "";
        boolean more = true;
        while (more) {
            ListLocksResponse page = door.locks()
                    .listLocks(ListLocksRequest.newBuilder()
                            .setPageSize(1_000)
                            .setAfter(after)
                            .build());
            assertThat(page.getSerializedSize()).isLessThan(3 << 20);
            seen += page.getLocksCount();
            after = page.getLocks(page.getLocksCount() - 1).getName();
            more = page.getMore();
        }
        assertThat(seen).isEqualTo(1_000);
    }

    @Test
    void a_free_lock_is_absent() {
        GetLockResponse response =
                door.locks().getLock(GetLockRequest.newBuilder().setName("a").build());

        assertThat(response.hasLock()).isFalse();
        assertThat(response.getHeader().getNodeId()).isEqualTo("n1");
    }

    @Test
    void a_node_with_many_leases_is_not_held_up_for_a_digest() {
        for (int i = 0; i < ClusterEndpoint.MAX_DIGEST_LEASES; i++) {
            open(i);
        }
        GetNodeStatusRequest request =
                GetNodeStatusRequest.newBuilder().setDigest(true).build();
        assertThat(door.status().getNodeStatus(request).getDigest()).isNotEmpty();

        open(ClusterEndpoint.MAX_DIGEST_LEASES);

        assertThat(door.status().getNodeStatus(request).getDigest()).isEmpty();
    }

    private void open(int number) {
        var unused = door.store.submit(new Command.OpenSession(new SessionId(1, number), 0, 60_000_000_000L, ""));
    }

    @Test
    void the_status_tells_node_leader_members_and_state() {
        acquire(it -> it);

        GetNodeStatusResponse status = door.status()
                .getNodeStatus(GetNodeStatusRequest.newBuilder().setDigest(true).build());

        assertThat(status.getCluster()).isEqualTo("test");
        assertThat(status.getNodeId()).isEqualTo("n1");
        assertThat(status.getVersion()).isEqualTo("1.2.3");
        assertThat(status.getRole()).isEqualTo(GetNodeStatusResponse.Role.LEADER);
        assertThat(status.getTerm()).isEqualTo(7);
        assertThat(status.getLeaderId()).isEqualTo("n1");
        assertThat(status.getLeaderReady()).isTrue();
        assertThat(status.getFeatureLevel()).isOne();
        assertThat(status.getFeatureLevelKnown()).isEqualTo(2);
        assertThat(status.getAppliedIndex()).isOne();
        assertThat(status.getLeases()).isOne();
        assertThat(status.getDigest()).matches("[0-9a-f]{16}");
        assertThat(status.getMembers(0).getEndpoint()).isEqualTo("127.0.0.1:" + door.door.port());
        assertThat(door.status()
                        .getNodeStatus(GetNodeStatusRequest.getDefaultInstance())
                        .getDigest())
                .isEmpty();
    }

    @Test
    void a_node_without_a_part_in_the_cluster_says_what_it_waits_for() {
        assertThat(door.status()
                        .getNodeStatus(GetNodeStatusRequest.getDefaultInstance())
                        .getWaiting())
                .isEmpty();
        door.cluster.waitsFor("it waits to be added");

        assertThat(door.status()
                        .getNodeStatus(GetNodeStatusRequest.getDefaultInstance())
                        .getWaiting())
                .isEqualTo("it waits to be added");
    }

    @Test
    void health_is_told_as_the_node_says() {
        assertThat(health("")).isEqualTo(ServingStatus.NOT_SERVING);
        door.door.setServing(true);
        assertThat(health("")).isEqualTo(ServingStatus.SERVING);
        assertThat(health("holdfast.v1.LockService")).isEqualTo(ServingStatus.SERVING);
        door.door.setServing(false);
        assertThat(health("holdfast.v1.LockService")).isEqualTo(ServingStatus.NOT_SERVING);
    }

    private ServingStatus health(String service) {
        return HealthGrpc.newBlockingStub(door.channel)
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }

    @Test
    void reflection_tells_the_services_and_their_files() throws Exception {
        ServerReflectionResponse services = reflect(it -> it.setListServices(""));
        ServerReflectionResponse file = reflect(it -> it.setFileContainingSymbol("holdfast.v1.LockService"));

        assertThat(services.getListServicesResponse().getServiceList())
                .extracting(ServiceResponse::getName)
                .contains(
                        "holdfast.v1.LockService",
                        "holdfast.v1.SessionService",
                        "holdfast.v1.ClusterService",
                        "grpc.health.v1.Health");
        assertThat(file.getFileDescriptorResponse().getFileDescriptorProtoCount())
                .isPositive();
    }

    private ServerReflectionResponse reflect(UnaryOperator<ServerReflectionRequest.Builder> question) throws Exception {
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> out = ServerReflectionGrpc.newStub(door.channel)
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse value) {
                        answer.complete(value);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        out.onNext(question.apply(ServerReflectionRequest.newBuilder()).build());
        out.onCompleted();
        return answer.get(20, TimeUnit.SECONDS);
    }

    @Test
    void a_port_in_use_is_told() {
        assertThatThrownBy(() -> new TestDoor("n2", TestDoor.CONFIG, door.door.port()))
                .hasRootCauseInstanceOf(BindException.class);
    }

    @Test
    void more_connections_than_allowed_are_closed_and_the_others_go_on() {
        GrpcConfig one = new GrpcConfig(1 << 20, 1, 10, Duration.ZERO, Duration.ofSeconds(1));
        try (TestDoor small = new TestDoor("n1", one, 0)) {
            var first = small.status().getNodeStatus(GetNodeStatusRequest.getDefaultInstance());
            ManagedChannel second = NettyChannelBuilder.forAddress("127.0.0.1", small.door.port())
                    .usePlaintext()
                    .build();
            try {
                StatusRuntimeException failure = catchThrowableOfType(
                        StatusRuntimeException.class,
                        () -> ClusterServiceGrpc.newBlockingStub(second)
                                .getNodeStatus(GetNodeStatusRequest.getDefaultInstance()));
                assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(small.status().getNodeStatus(GetNodeStatusRequest.getDefaultInstance()))
                        .isEqualTo(first);
                small.channel.shutdownNow();
                await().ignoreExceptions().untilAsserted(() -> {
                    second.resetConnectBackoff();
                    assertThat(ClusterServiceGrpc.newBlockingStub(second)
                                    .getNodeStatus(GetNodeStatusRequest.getDefaultInstance())
                                    .getNodeId())
                            .isEqualTo("n1");
                });
            } finally {
                second.shutdownNow();
            }
        }
    }

    @Test
    void a_door_that_closes_waits_for_the_answers_to_what_is_here() throws Exception {
        var open = door.store.answerNextLater();
        CompletableFuture<Void> answered =
                CompletableFuture.runAsync(() -> acquire(it -> it), Thread::startVirtualThread);
        await().until(() -> door.store.commandCount() == 1);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(
                () -> {
                    try {
                        door.door.close(Duration.ofSeconds(20));
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                Thread::startVirtualThread);

        open.complete(new Answer<>(new Outcome.Held(Optional.empty()), 1, 1));

        assertThat(answered).succeedsWithin(Duration.ofSeconds(20));
        assertThat(closed).succeedsWithin(Duration.ofSeconds(20));
    }

    private Duration blockOf(UnaryOperator<AcquireRequest.Builder> change) {
        acquire(change);
        return door.store.lastBlock();
    }

    private void acquire(UnaryOperator<AcquireRequest.Builder> change) {
        var unused =
                door.locks().acquire(change.apply(Requests.acquire("a", "A")).build());
    }
}
