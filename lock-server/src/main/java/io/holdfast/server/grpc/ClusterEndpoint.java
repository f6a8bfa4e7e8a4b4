package io.holdfast.server.grpc;

import io.grpc.stub.StreamObserver;
import io.holdfast.core.LockTable;
import io.holdfast.server.proposer.Store;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.GetNodeStatusRequest;
import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.Member;

/** The RPCs about the cluster. Answered by the node asked. */
final class ClusterEndpoint extends ClusterServiceGrpc.ClusterServiceImplBase {
    private final Identity identity;
    private final Cluster cluster;
    private final Store store;
    private final LocalReads localReads;

    ClusterEndpoint(Identity identity, Cluster cluster, Store store, LocalReads localReads) {
        this.identity = identity;
        this.cluster = cluster;
        this.store = store;
        this.localReads = localReads;
    }

    /** What the status tells of the table, read in one go. */
    private record Gauge(int leases, String digest) {}

    @Override
    public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<GetNodeStatusResponse> out) {
        localReads.serve(ClusterServiceGrpc.getGetNodeStatusMethod(), out, () -> status(request.getDigest()));
    }

    private GetNodeStatusResponse status(boolean withDigest) {
        Answer<Gauge> gauge = store.readStale(table -> gauge(table, withDigest));
        Cluster.View view = cluster.view();
        GetNodeStatusResponse.Builder status = GetNodeStatusResponse.newBuilder()
                .setCluster(identity.cluster())
                .setNodeId(identity.nodeId())
                .setVersion(identity.version())
                .setRole(role(view.role()))
                .setTerm(view.term())
                .setLeaderId(view.leaderId().orElse(""))
                .setLeaderReady(view.isLeaderReady())
                .setAppliedIndex(gauge.appliedIndex())
                .setLeaseTime(gauge.leaseTimeNanos())
                .setLeases(gauge.value().leases())
                .setDigest(gauge.value().digest());
        view.members()
                .forEach(member -> status.addMembers(Member.newBuilder()
                        .setNodeId(member.id())
                        .setEndpoint(member.endpoint())
                        .setRaftAddress(member.raftAddress())));
        return status.build();
    }

    private static Gauge gauge(LockTable table, boolean withDigest) {
        return new Gauge(table.leaseCount(), withDigest ? table.digest() : "");
    }

    private static GetNodeStatusResponse.Role role(Cluster.Role role) {
        return switch (role) {
            case LEADER -> GetNodeStatusResponse.Role.LEADER;
            case FOLLOWER -> GetNodeStatusResponse.Role.FOLLOWER;
            case CANDIDATE -> GetNodeStatusResponse.Role.CANDIDATE;
        };
    }
}
