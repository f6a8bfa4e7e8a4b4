package io.holdfast.server.grpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.core.LockTable;
import io.holdfast.server.grpc.Call.Task;
import io.holdfast.server.proposer.Store;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.v1.AddMemberRequest;
import io.holdfast.v1.AddMemberResponse;
import io.holdfast.v1.BackupRequest;
import io.holdfast.v1.BackupResponse;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.GetNodeStatusRequest;
import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.ListMembersRequest;
import io.holdfast.v1.ListMembersResponse;
import io.holdfast.v1.RemoveMemberRequest;
import io.holdfast.v1.RemoveMemberResponse;
import io.holdfast.v1.TakeSnapshotRequest;
import io.holdfast.v1.TakeSnapshotResponse;
import io.holdfast.v1.TransferLeadershipRequest;
import io.holdfast.v1.TransferLeadershipResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The RPCs about the cluster: those about a node are answered by the node asked, those about members and leader by the leader. */
final class ClusterEndpoint extends ClusterServiceGrpc.ClusterServiceImplBase {
    /** Some tenths of a second: nothing is applied meanwhile, and an operator asks all nodes at once. */
    static final int MAX_DIGEST_LEASES = 100_000;

    private final Identity identity;
    private final Cluster cluster;
    private final Store store;
    private final LocalReads localReads;
    private final Router router;
    private final Operations operations;
    private final BackupSender backups;

    ClusterEndpoint(
            Identity identity,
            Cluster cluster,
            Store store,
            LocalReads localReads,
            Router router,
            Operations operations,
            BackupSender backups) {
        this.identity = identity;
        this.cluster = cluster;
        this.store = store;
        this.localReads = localReads;
        this.router = router;
        this.operations = operations;
        this.backups = backups;
    }

    /** What the status tells of the table, read in one go. */
    private record Gauge(int leases, int featureLevel, String digest) {}

    @Override
    public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<GetNodeStatusResponse> out) {
        localReads.serve(ClusterServiceGrpc.getGetNodeStatusMethod(), out, () -> status(request.getDigest()));
    }

    @Override
    public void listMembers(ListMembersRequest request, StreamObserver<ListMembersResponse> out) {
        // The barrier proves that this node still leads, and so knows the members.
        router.serve(
                ClusterServiceGrpc.getListMembersMethod(),
                request,
                out,
                () -> Task.read(() -> store.read(LockTable::clockNanos).thenApply(it -> members(cluster.view()))));
    }

    @Override
    public void addMember(AddMemberRequest request, StreamObserver<AddMemberResponse> out) {
        router.serve(ClusterServiceGrpc.getAddMemberMethod(), request, out, () -> {
            MemberRequests.check(request);
            return new Task<>(
                    false,
                    MemberRequests.catchUp(request),
                    catchUp -> operations
                            .addMember(MemberRequests.member(request), catchUp)
                            .thenApply(it -> AddMemberResponse.newBuilder()
                                    .addAllMembers(MemberRequests.members(it))
                                    .build()));
        });
    }

    @Override
    public void removeMember(RemoveMemberRequest request, StreamObserver<RemoveMemberResponse> out) {
        router.serve(ClusterServiceGrpc.getRemoveMemberMethod(), request, out, () -> {
            MemberRequests.check(request);
            return Task.write(() -> operations
                    .removeMember(request.getNodeId())
                    .thenApply(it -> RemoveMemberResponse.newBuilder()
                            .addAllMembers(MemberRequests.members(it))
                            .build()));
        });
    }

    @Override
    public void transferLeadership(TransferLeadershipRequest request, StreamObserver<TransferLeadershipResponse> out) {
        router.serve(ClusterServiceGrpc.getTransferLeadershipMethod(), request, out, () -> {
            MemberRequests.check(request);
            return Task.write(() -> transfer(request)
                    .thenApply(it -> TransferLeadershipResponse.newBuilder()
                            .setLeaderId(it)
                            .build()));
        });
    }

    private CompletionStage<String> transfer(TransferLeadershipRequest request) {
        String from = request.getIfLeaderId();
        return from.isEmpty() || from.equals(identity.nodeId())
                ? operations.transferLeadership(Optional.of(request.getNodeId()).filter(it -> !it.isEmpty()))
                : CompletableFuture.completedFuture(identity.nodeId()); // it was handed over before
    }

    @Override
    public void takeSnapshot(TakeSnapshotRequest request, StreamObserver<TakeSnapshotResponse> out) {
        Router.serveHere(
                ClusterServiceGrpc.getTakeSnapshotMethod(),
                request,
                out,
                Task.write(() -> operations.takeSnapshot().thenApply(this::taken)));
    }

    @Override
    public void backup(BackupRequest request, StreamObserver<BackupResponse> out) {
        backups.send((ServerCallStreamObserver<BackupResponse>) out);
    }

    private TakeSnapshotResponse taken(Operations.SnapshotTaken snapshot) {
        return TakeSnapshotResponse.newBuilder()
                .setNodeId(identity.nodeId())
                .setTerm(snapshot.term())
                .setIndex(snapshot.index())
                .setTaken(snapshot.isNew())
                .setBytes(snapshot.bytes())
                .build();
    }

    private static ListMembersResponse members(Cluster.View view) {
        return ListMembersResponse.newBuilder()
                .addAllMembers(MemberRequests.members(view.members()))
                .setLeaderId(view.leaderId().orElse(""))
                .setTerm(view.term())
                .build();
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
                .setWaiting(view.waiting().orElse(""))
                .setAppliedIndex(gauge.appliedIndex())
                .setLeaseTime(gauge.leaseTimeNanos())
                .setLeases(gauge.value().leases())
                .setFeatureLevel(gauge.value().featureLevel())
                .setFeatureLevelKnown(identity.maxFeatureLevel())
                .setDigest(gauge.value().digest());
        return status.addAllMembers(MemberRequests.members(view.members())).build();
    }

    private static Gauge gauge(LockTable table, boolean withDigest) {
        boolean isBearable = table.leaseCount() <= MAX_DIGEST_LEASES;
        return new Gauge(table.leaseCount(), table.featureLevel(), withDigest && isBearable ? table.digest() : "");
    }

    private static GetNodeStatusResponse.Role role(Cluster.Role role) {
        return switch (role) {
            case LEADER -> GetNodeStatusResponse.Role.LEADER;
            case FOLLOWER -> GetNodeStatusResponse.Role.FOLLOWER;
            case CANDIDATE -> GetNodeStatusResponse.Role.CANDIDATE;
        };
    }
}
