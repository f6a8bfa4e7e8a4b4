package io.holdfast.server.grpc;

import io.holdfast.v1.AddMemberRequest;
import io.holdfast.v1.Member;
import io.holdfast.v1.RemoveMemberRequest;
import io.holdfast.v1.TransferLeadershipRequest;
import java.time.Duration;
import java.util.List;

/** Requests about members: checked, and translated. */
final class MemberRequests {
    private static final Duration USUAL_CATCH_UP = Duration.ofMinutes(5);
    private static final long MIN_CATCH_UP_MILLIS = 1_000;
    private static final long MAX_CATCH_UP_MILLIS = Duration.ofHours(1).toMillis();

    private MemberRequests() {}

    static void check(AddMemberRequest request) {
        Checks checks = new Checks();
        checks.nodeId("node_id", request.getNodeId());
        checks.hostPort("endpoint", request.getEndpoint());
        checks.hostPort("raft_address", request.getRaftAddress());
        checks.require(
                request.getEndpoint().isEmpty() || !request.getEndpoint().equals(request.getRaftAddress()),
                "raft_address",
                "the same as endpoint",
                "another");
        if (request.getCatchUpMs() != 0) {
            checks.inRange("catch_up_ms", request.getCatchUpMs(), MIN_CATCH_UP_MILLIS, MAX_CATCH_UP_MILLIS, " ms");
        }
        checks.done();
    }

    static void check(RemoveMemberRequest request) {
        Checks checks = new Checks();
        checks.nodeId("node_id", request.getNodeId());
        checks.done();
    }

    static void check(TransferLeadershipRequest request) {
        Checks checks = new Checks();
        if (!request.getNodeId().isEmpty()) {
            checks.nodeId("node_id", request.getNodeId());
        }
        if (!request.getIfLeaderId().isEmpty()) {
            checks.nodeId("if_leader_id", request.getIfLeaderId());
        }
        checks.done();
    }

    static Cluster.Member member(AddMemberRequest request) {
        return new Cluster.Member(request.getNodeId(), request.getEndpoint(), request.getRaftAddress());
    }

    static Duration catchUp(AddMemberRequest request) {
        return request.getCatchUpMs() == 0 ? USUAL_CATCH_UP : Duration.ofMillis(request.getCatchUpMs());
    }

    static List<Member> members(List<Cluster.Member> members) {
        return members.stream()
                .map(it -> Member.newBuilder()
                        .setNodeId(it.id())
                        .setEndpoint(it.endpoint())
                        .setRaftAddress(it.raftAddress())
                        .build())
                .toList();
    }
}
