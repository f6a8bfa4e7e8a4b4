package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.core.LockTable;
import io.holdfast.core.Outcome;
import io.holdfast.server.config.GrpcConfig;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.server.proposer.Unanswered;
import io.holdfast.server.proposer.Unanswered.Why;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Doors of several nodes, and how a request finds the leader through any of them. */
class RouterTest {
    private static final GrpcConfig PATIENT =
            new GrpcConfig(1 << 20, 100, 1_000, Duration.ofSeconds(20), Duration.ofSeconds(20));
    private static final GrpcConfig IMPATIENT =
            new GrpcConfig(1 << 20, 100, 1_000, Duration.ZERO, Duration.ofSeconds(20));

    private final List<TestDoor> doors = new ArrayList<>();
    private TestDoor leader;
    private TestDoor follower;

    @BeforeEach
    void open() {
        leader = door("n1", PATIENT);
        follower = door("n2", PATIENT);
        introduceAll();
        allFollow("n1");
    }

    @AfterEach
    void close() {
        doors.forEach(TestDoor::close);
    }

    @Test
    void a_follower_passes_a_request_on_and_relays_the_answer() {
        AcquireResponse response =
                follower.locks().acquire(Requests.acquire("a", "A").build());

        assertThat(response.getGranted().getName()).isEqualTo("a");
        assertThat(response.getHeader().getNodeId()).isEqualTo("n1");
        assertThat(leader.store.commandCount()).isOne();
        assertThat(follower.store.commandCount()).isZero();
    }

    @Test
    void a_follower_relays_an_error_with_all_its_details() {
        leader.store.answerNext(new Outcome.LimitReached("waiters of one lock", 7));

        StatusRuntimeException failure = failure(() -> acquire(follower));

        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(failure.getStatus().getDescription()).contains("7 waiters of one lock");
        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("LIMIT_REACHED");
        assertThat(TestDoor.infoOf(failure).getMetadataMap()).containsEntry("limit", "waiters of one lock");
    }

    @Test
    void a_follower_checks_a_request_itself() {
        StatusRuntimeException failure =
                failure(() -> follower.locks().acquire(Requests.acquire("", "A").build()));

        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("INVALID_FIELD");
        assertThat(leader.store.commandCount()).isZero();
    }

    @Test
    void a_request_is_never_passed_on_twice() {
        leader.cluster.isLedBy("n2");
        TestDoor third = door("n3", IMPATIENT);
        introduceAll();
        third.cluster.isLedBy("n1");
        follower.cluster.isLedBy("n2");

        StatusRuntimeException failure = failure(() -> acquire(third));

        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("NO_LEADER");
        assertThat(failure.getStatus().getDescription()).isEqualTo("node n1 does not lead; n2 does");
        assertThat(follower.store.commandCount()).isZero();
    }

    @Test
    void a_request_rides_over_an_election() throws Exception {
        follower.cluster.hasNoLeader();
        CompletableFuture<AcquireResponse> answer = acquireLater(follower);
        assertThat(answer).isNotDone();

        follower.cluster.isLedBy("n1");

        assertThat(answer.get(20, TimeUnit.SECONDS).hasGranted()).isTrue();
    }

    @Test
    void a_request_that_certainly_had_no_effect_is_tried_again_at_the_next_leader() {
        leader.store.failNext(new Unanswered(Why.NOT_LEADER, "deposed"));

        assertThat(acquire(follower).hasGranted()).isTrue();
        assertThat(leader.store.commandCount()).isEqualTo(2);
    }

    @Test
    void a_request_that_may_have_had_its_effect_is_not_sent_again() {
        leader.store.failNext(new Unanswered(Why.OUTCOME_UNKNOWN, "deposed"));

        StatusRuntimeException failure = failure(() -> acquire(follower));

        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("OUTCOME_UNKNOWN");
        assertThat(leader.store.commandCount()).isOne();
    }

    @Test
    void a_read_is_tried_again_whatever_became_of_it() {
        leader.store.failNext(new Unanswered(Why.OUTCOME_UNKNOWN, "deposed"));

        GetLockResponse response = follower.locks()
                .getLock(GetLockRequest.newBuilder().setName("a").build());

        assertThat(response.getHeader().getNodeId()).isEqualTo("n1");
    }

    @Test
    void without_a_leader_a_request_is_refused_before_its_deadline() {
        follower.cluster.hasNoLeader();

        StatusRuntimeException failure = failure(() -> follower.locks()
                .withDeadlineAfter(1, TimeUnit.SECONDS)
                .acquire(Requests.acquire("a", "A").build()));

        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("NO_LEADER");
        assertThat(failure.getStatus().getDescription()).isEqualTo("no leader is known to node n2");
    }

    @Test
    void a_node_is_asked_by_another_what_feature_level_it_knows() {
        assertThat(leader.door.featureLevelKnownBy(follower.member()))
                .succeedsWithin(Duration.ofSeconds(10))
                .isEqualTo(LockTable.NEWEST_FEATURE_LEVEL);
        assertThat(leader.door.featureLevelKnownBy(new Cluster.Member("n9", "127.0.0.1:1", "127.0.0.1:2")))
                .failsWithin(Duration.ofSeconds(10));
    }

    @Test
    void a_leader_that_cannot_be_reached_is_no_leader() {
        TestDoor alone = door("n3", IMPATIENT);
        alone.cluster.add(new Cluster.Member("n9", "127.0.0.1:1", "127.0.0.1:2"));
        alone.cluster.isLedBy("n9");

        StatusRuntimeException failure = failure(() -> acquire(alone));

        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("NO_LEADER");
        assertThat(failure.getStatus().getDescription()).isEqualTo("the leader n9 at 127.0.0.1:1 cannot be reached");
    }

    @Test
    void a_leader_that_dies_under_way_leaves_the_outcome_unknown() throws Exception {
        var unused = leader.store.answerNextLater();
        CompletableFuture<AcquireResponse> answer = acquireLater(follower);
        await().until(() -> leader.store.commandCount() == 1);

        leader.close();

        StatusRuntimeException failure = failure(() -> unwrap(answer));
        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("OUTCOME_UNKNOWN");
    }

    @Test
    void a_leader_that_is_back_is_found_again_soon() {
        int port = leader.door.port();
        leader.close();
        CompletableFuture<AcquireResponse> answer = acquireLater(follower);
        assertThat(answer).isNotDone();

        TestDoor again = new TestDoor("n1", PATIENT, port);
        doors.add(again);
        again.cluster.isLedBy("n1");

        assertThat(answer).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void what_hangs_at_an_old_leader_is_given_up_when_there_is_a_new_one() throws Exception {
        var unused = leader.store.answerNextLater();
        CompletableFuture<AcquireResponse> answer = acquireLater(follower);
        await().until(() -> leader.store.commandCount() == 1);

        follower.door.followLeader(new Cluster.Member("n3", "127.0.0.1:1", "127.0.0.1:2"));

        assertThat(TestDoor.infoOf(failure(() -> unwrap(answer))).getReason()).isEqualTo("OUTCOME_UNKNOWN");
    }

    @Test
    void what_is_under_way_to_the_leader_goes_on_when_it_is_named_again() throws Exception {
        CompletableFuture<Answer<Outcome>> open = leader.store.answerNextLater();
        CompletableFuture<AcquireResponse> answer = acquireLater(follower);
        await().until(() -> leader.store.commandCount() == 1);

        follower.door.followLeader(leader.member());
        open.complete(new Answer<>(new Outcome.Held(Optional.empty()), 1, 1));

        assertThat(answer.get(20, TimeUnit.SECONDS).hasNotGranted()).isTrue();
    }

    @Test
    void a_request_whose_client_is_gone_is_not_carried_out() {
        follower.cluster.hasNoLeader();
        StatusRuntimeException failure = failure(() -> LockServiceGrpc.newBlockingStub(follower.channel)
                .withDeadlineAfter(60, TimeUnit.MILLISECONDS)
                .acquire(Requests.acquire("a", "A").build()));

        follower.cluster.isLedBy("n1");

        assertThat(failure.getStatus().getCode()).isIn(Status.Code.DEADLINE_EXCEEDED, Status.Code.UNAVAILABLE);
        assertThat(acquire(follower).hasGranted()).isTrue();
        assertThat(leader.store.commandCount()).isOne();
    }

    @Test
    void a_stale_read_is_answered_without_the_leader() {
        follower.cluster.hasNoLeader();

        GetLockResponse response = follower.locks()
                .getLock(GetLockRequest.newBuilder().setName("a").setStale(true).build());

        assertThat(response.getHeader().getNodeId()).isEqualTo("n2");
        assertThat(response.hasLock()).isFalse();
    }

    private TestDoor door(String nodeId, GrpcConfig config) {
        TestDoor door = new TestDoor(nodeId, config, 0);
        doors.add(door);
        return door;
    }

    private void introduceAll() {
        doors.forEach(door -> doors.forEach(other -> door.cluster.add(other.member())));
    }

    private void allFollow(String id) {
        doors.forEach(door -> door.cluster.isLedBy(id));
    }

    private static AcquireResponse acquire(TestDoor door) {
        return door.locks().acquire(Requests.acquire("a", "A").build());
    }

    private static CompletableFuture<AcquireResponse> acquireLater(TestDoor door) {
        return CompletableFuture.supplyAsync(() -> acquire(door), Thread::startVirtualThread);
    }

    private static void unwrap(CompletableFuture<?> answer) throws Throwable {
        try {
            answer.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}
