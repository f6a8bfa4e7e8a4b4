package io.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.server.config.GrpcConfig;
import io.holdfast.server.grpc.OperationRefused.Why;
import io.holdfast.server.grpc.Operations.SnapshotTaken;
import io.holdfast.server.proposer.Unanswered;
import io.holdfast.v1.AddMemberRequest;
import io.holdfast.v1.ListMembersRequest;
import io.holdfast.v1.ListMembersResponse;
import io.holdfast.v1.Member;
import io.holdfast.v1.RemoveMemberRequest;
import io.holdfast.v1.TakeSnapshotRequest;
import io.holdfast.v1.TakeSnapshotResponse;
import io.holdfast.v1.TransferLeadershipRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators ask of a node, and through one node of another. */
class OperationsTest {
    private static final GrpcConfig CONFIG =
            new GrpcConfig(1 << 20, 100, 1_000, Duration.ofSeconds(20), Duration.ofSeconds(20));
    private static final List<Cluster.Member> FOUR =
            List.of(new Cluster.Member("n1", "h1:1", "h1:2"), new Cluster.Member("n4", "h4:7401", "h4:7411"));

    private final TestDoor leader = new TestDoor("n1", CONFIG, 0);
    private final TestDoor follower = new TestDoor("n2", CONFIG, 0);

    @BeforeEach
    void introduce() {
        for (TestDoor door : List.of(leader, follower)) {
            door.cluster.add(leader.member());
            door.cluster.add(follower.member());
            door.cluster.isLedBy("n1");
        }
    }

    @AfterEach
    void close() {
        leader.close();
        follower.close();
    }

    @Test
    void members_are_listed_by_the_leader() {
        ListMembersResponse response = follower.status().listMembers(ListMembersRequest.getDefaultInstance());

        assertThat(response.getMembersList()).extracting(Member::getNodeId).containsExactly("n1", "n2");
        assertThat(response.getMembers(1).getEndpoint())
                .isEqualTo(follower.member().endpoint());
        assertThat(response.getLeaderId()).isEqualTo("n1");
        assertThat(response.getTerm()).isEqualTo(7);
    }

    @Test
    void a_member_is_added_by_the_leader_through_any_node() {
        leader.operations.members = CompletableFuture.completedFuture(FOUR);

        assertThat(add(follower, it -> it).stream().map(Member::getNodeId)).containsExactly("n1", "n4");

        // Less what the way back may take.
        assertThat(leader.operations.asked).singleElement().asString().startsWith("add n4 h4:7401 h4:7411 within PT4M");
        assertThat(follower.operations.asked).isEmpty();
    }

    @Test
    void a_member_catches_up_within_the_time_that_the_client_has() {
        var unused = add(leader, it -> it.setCatchUpMs(60_000));
        var unusedToo = leader.status().withDeadlineAfter(20, TimeUnit.SECONDS).addMember(n4().build());

        assertThat(leader.operations.asked.get(0)).endsWith("within PT1M");
        assertThat(Duration.parse(leader.operations.asked.get(1).replaceFirst(".*within ", "")))
                .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(18));
    }

    @Test
    void a_member_is_removed_by_the_leader_through_any_node() {
        leader.operations.members = CompletableFuture.completedFuture(FOUR);

        assertThat(follower.status()
                        .removeMember(
                                RemoveMemberRequest.newBuilder().setNodeId("n3").build())
                        .getMembersList())
                .extracting(Member::getRaftAddress)
                .containsExactly("h1:2", "h4:7411");

        assertThat(leader.operations.asked).containsExactly("remove n3");
    }

    @Test
    void a_leader_that_is_to_remove_itself_hands_over_and_the_next_one_removes_it() {
        leader.operations.members =
                CompletableFuture.failedFuture(new Unanswered(Unanswered.Why.NOT_LEADER, "n1 has handed over"));
        follower.operations.members = CompletableFuture.completedFuture(FOUR);
        CompletableFuture<Void> answer = CompletableFuture.runAsync(
                () -> follower.status()
                        .removeMember(
                                RemoveMemberRequest.newBuilder().setNodeId("n1").build()),
                Thread::startVirtualThread);
        org.awaitility.Awaitility.await().until(() -> leader.operations.asked.contains("remove n1"));

        leader.cluster.isLedBy("n2");
        follower.cluster.isLedBy("n2");

        assertThat(answer).succeedsWithin(Duration.ofSeconds(20));
        assertThat(follower.operations.asked).containsExactly("remove n1");
    }

    @ParameterizedTest
    @EnumSource
    void a_refusal_says_why_through_any_node(Why why) {
        leader.operations.members =
                CompletableFuture.failedFuture(new OperationRefused(why, "n4 is not to your liking"));
        String reason = why == Why.NOT_READY ? "MEMBER_NOT_READY" : why.name();
        Status.Code code = switch (why) {
            case NO_SUCH_MEMBER -> Status.Code.NOT_FOUND;
            case ALREADY_MEMBER -> Status.Code.ALREADY_EXISTS;
            case CHANGE_UNDER_WAY -> Status.Code.ABORTED;
            case NOT_READY, LAST_MEMBER -> Status.Code.FAILED_PRECONDITION;
            case DISK_UNUSABLE -> Status.Code.UNAVAILABLE;
        };

        for (TestDoor door : List.of(leader, follower)) {
            StatusRuntimeException failure = failure(() -> add(door, it -> it));

            assertThat(failure.getStatus().getDescription()).isEqualTo("n4 is not to your liking");
            assertThat(failure.getStatus().getCode()).isEqualTo(code);
            assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo(reason);
        }
        assertThat(leader.operations.asked).as("not repeated by doors").hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'', h:1, h:2, 0          | node_id | node_id is empty; it must be 1 to 64 letters",
                "a b, h:1, h:2, 0         | node_id | node_id is \"a b\"; it must be 1 to 64 letters",
                "n4, '', h:2, 0           | endpoint | endpoint is empty; it must be host:port",
                "n4, h, h:2, 0            | endpoint | endpoint is \"h\"; it must be host:port",
                "n4, h:1, h:70000, 0      | raft_address | raft_address is \"h:70000\"; it must be host:port",
                "n4, h:1, h:1, 0          | raft_address | raft_address is the same as endpoint; it must be another",
                "n4, h:1, h:2, 999        | catch_up_ms | catch_up_ms is 999 ms; it must be 1000 to 3600000 ms",
                "n4, h:1, h:2, 3600001    | catch_up_ms | catch_up_ms is 3600001 ms; it must be 1000 to 3600000 ms",
                "n4, h:1, h:2, -1         | catch_up_ms | catch_up_ms is -1 ms; it must be 1000 to 3600000 ms",
            })
    void a_member_that_cannot_be_is_refused_by_the_node_asked(String request, String field, String message) {
        String[] parts = request.replace("''", "").split(", ?", -1);
        StatusRuntimeException failure = failure(() -> add(
                follower,
                it -> it.setNodeId(parts[0])
                        .setEndpoint(parts[1])
                        .setRaftAddress(parts[2])
                        .setCatchUpMs(Long.parseLong(parts[3].strip()))));

        assertInvalid(failure, field, message);
        assertThat(leader.operations.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n1", "n/1", "x\u001b[31m"})
    void a_name_that_no_node_can_have_is_refused(String id) {
        assertInvalid(
                failure(() -> follower.status()
                        .removeMember(
                                RemoveMemberRequest.newBuilder().setNodeId(id).build())),
                "node_id",
                "node_id is \"" + id.replace('\u001b', '?') + "\"; it must be");
        assertInvalid(failure(() -> transfer(follower, id, "")), "node_id", "it must be 1 to 64 letters");
        assertInvalid(failure(() -> transfer(follower, "", id)), "if_leader_id", "it must be 1 to 64 letters");
        assertThat(leader.operations.asked).isEmpty();
    }

    @Test
    void leadership_is_handed_over_once_however_often_it_is_asked_for() {
        assertThat(transfer(follower, "", "n1")).isEqualTo("n2");
        assertThat(transfer(follower, "n2", "n1")).isEqualTo("n2");
        assertThat(transfer(follower, "", "")).isEqualTo("n2");
        assertThat(leader.operations.asked)
                .containsExactly("transfer to anybody", "transfer to n2", "transfer to anybody");

        assertThat(transfer(follower, "", "n3")).as("n3 led, and does no more").isEqualTo("n1");
        assertThat(leader.operations.asked).hasSize(3);
    }

    @Test
    void a_snapshot_is_taken_by_the_node_asked() {
        follower.cluster.hasNoLeader();
        follower.operations.snapshot = CompletableFuture.completedFuture(new SnapshotTaken(5, 1L << 40, false, 12_345));

        TakeSnapshotResponse response = follower.status().takeSnapshot(TakeSnapshotRequest.getDefaultInstance());

        assertThat(response)
                .isEqualTo(TakeSnapshotResponse.newBuilder()
                        .setNodeId("n2")
                        .setTerm(5)
                        .setIndex(1L << 40)
                        .setTaken(false)
                        .setBytes(12_345)
                        .build());
        assertThat(leader.operations.asked).isEmpty();
    }

    @Test
    void a_snapshot_that_cannot_be_taken_is_refused() {
        follower.operations.snapshot =
                CompletableFuture.failedFuture(new OperationRefused(Why.DISK_UNUSABLE, "no space left in /data"));

        StatusRuntimeException failure =
                failure(() -> follower.status().takeSnapshot(TakeSnapshotRequest.getDefaultInstance()));

        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("DISK_UNUSABLE");
        assertThat(failure.getStatus().getDescription()).isEqualTo("no space left in /data");
    }

    private static AddMemberRequest.Builder n4() {
        return AddMemberRequest.newBuilder()
                .setNodeId("n4")
                .setEndpoint("h4:7401")
                .setRaftAddress("h4:7411");
    }

    private static List<Member> add(TestDoor door, UnaryOperator<AddMemberRequest.Builder> change) {
        return door.status().addMember(change.apply(n4()).build()).getMembersList();
    }

    private static String transfer(TestDoor door, String to, String ifLeader) {
        return door.status()
                .transferLeadership(TransferLeadershipRequest.newBuilder()
                        .setNodeId(to)
                        .setIfLeaderId(ifLeader)
                        .build())
                .getLeaderId();
    }

    private static void assertInvalid(StatusRuntimeException failure, String field, String message) {
        assertThat(TestDoor.infoOf(failure).getReason()).isEqualTo("INVALID_FIELD");
        assertThat(TestDoor.badRequestOf(failure).getFieldViolations(0).getField())
                .isEqualTo(field);
        assertThat(failure.getStatus().getDescription()).contains(message);
    }

    private static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}
