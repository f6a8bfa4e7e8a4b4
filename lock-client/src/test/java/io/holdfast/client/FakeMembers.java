package io.holdfast.client;

import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.AddMemberRequest;
import io.holdfast.v1.AddMemberResponse;
import io.holdfast.v1.BackupEnd;
import io.holdfast.v1.BackupFacts;
import io.holdfast.v1.BackupRequest;
import io.holdfast.v1.BackupResponse;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.GetNodeStatusRequest;
import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.GetNodeStatusResponse.Role;
import io.holdfast.v1.ListMembersRequest;
import io.holdfast.v1.ListMembersResponse;
import io.holdfast.v1.Member;
import io.holdfast.v1.RemoveMemberRequest;
import io.holdfast.v1.RemoveMemberResponse;
import io.holdfast.v1.TakeSnapshotRequest;
import io.holdfast.v1.TakeSnapshotResponse;
import io.holdfast.v1.TransferLeadershipRequest;
import io.holdfast.v1.TransferLeadershipResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Consumer;

/** Nodes that operators ask, in this process; n1 leads. Each note of what was asked begins with the node that was. */
final class FakeMembers implements Endpoints {
    /** Where no node is. */
    static final String DEAD = "dead:1";

    final List<String> asked = Collections.synchronizedList(new ArrayList<>());

    /** What the next calls that change something fail with; then they succeed. */
    final Queue<StatusRuntimeException> failures = new ArrayDeque<>();

    /** The members, in order of id. A node that is none of them runs all the same. */
    final List<Member> members = Collections.synchronizedList(new ArrayList<>());

    /** Hears of each call that changes something, before it is answered. */
    Consumer<String> onAsked = what -> {};

    /** What a node sends instead of a whole backup. */
    List<BackupResponse> backup = wholeBackup();

    private final Map<String, ManagedChannel> channels = new HashMap<>();
    private final List<Server> servers = new ArrayList<>();

    /** Starts a node that has applied the log so far, and makes it a member. */
    FakeMembers node(String id, long appliedIndex) {
        String name = UUID.randomUUID().toString();
        try {
            servers.add(InProcessServerBuilder.forName(name)
                    .addService(new Service(id, appliedIndex))
                    .build()
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        channels.put(id + ":1", InProcessChannelBuilder.forName(name).build());
        members.add(member(id));
        return this;
    }

    static Member member(String id) {
        return Member.newBuilder()
                .setNodeId(id)
                .setEndpoint(id + ":1")
                .setRaftAddress(id + ":2")
                .build();
    }

    static List<BackupResponse> wholeBackup() {
        return new ArrayList<>(List.of(
                BackupResponse.newBuilder()
                        .setFacts(BackupFacts.newBuilder()
                                .setNodeId("n2")
                                .setIndex(42)
                                .setDigest("0123456789abcdef")
                                .setContentBytes(8))
                        .build(),
                data("lo"),
                data("cks"),
                BackupResponse.newBuilder()
                        .setEnd(BackupEnd.newBuilder().setBytes(5).setSha256(Sums.sha256("locks")))
                        .build()));
    }

    static BackupResponse data(String text) {
        return BackupResponse.newBuilder()
                .setData(ByteString.copyFromUtf8(text))
                .build();
    }

    private final class Service extends ClusterServiceGrpc.ClusterServiceImplBase {
        private final String id;
        private final long appliedIndex;

        Service(String id, long appliedIndex) {
            this.id = id;
            this.appliedIndex = appliedIndex;
        }

        @Override
        public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<GetNodeStatusResponse> out) {
            boolean leads = id.equals("n1");
            answer(
                    out,
                    GetNodeStatusResponse.newBuilder()
                            .setNodeId(id)
                            .setLeaderId("n1")
                            .setLeaderReady(leads)
                            .setRole(leads ? Role.LEADER : Role.FOLLOWER)
                            .setAppliedIndex(appliedIndex)
                            .addAllMembers(members)
                            .build());
        }

        @Override
        public void listMembers(ListMembersRequest request, StreamObserver<ListMembersResponse> out) {
            answer(
                    out,
                    ListMembersResponse.newBuilder()
                            .addAllMembers(members)
                            .setLeaderId("n1")
                            .setTerm(3)
                            .build());
        }

        @Override
        public void addMember(AddMemberRequest request, StreamObserver<AddMemberResponse> out) {
            change(
                    "add " + request.getNodeId() + " " + request.getCatchUpMs(),
                    out,
                    AddMemberResponse.newBuilder().addAllMembers(members).build());
        }

        @Override
        public void removeMember(RemoveMemberRequest request, StreamObserver<RemoveMemberResponse> out) {
            change(
                    "remove " + request.getNodeId(),
                    out,
                    RemoveMemberResponse.newBuilder().addAllMembers(members).build());
        }

        @Override
        public void transferLeadership(
                TransferLeadershipRequest request, StreamObserver<TransferLeadershipResponse> out) {
            change(
                    "transfer to " + request.getNodeId() + " if " + request.getIfLeaderId(),
                    out,
                    TransferLeadershipResponse.newBuilder().setLeaderId("n2").build());
        }

        @Override
        public void takeSnapshot(TakeSnapshotRequest request, StreamObserver<TakeSnapshotResponse> out) {
            change(
                    "snapshot",
                    out,
                    TakeSnapshotResponse.newBuilder().setNodeId(id).setIndex(42).build());
        }

        @Override
        public void backup(BackupRequest request, StreamObserver<BackupResponse> out) {
            asked.add(id + ": backup");
            StatusRuntimeException failure = failures.poll();
            if (failure != null) {
                out.onError(failure);
                return;
            }
            backup.forEach(out::onNext);
            out.onCompleted();
        }

        private <T> void change(String what, StreamObserver<T> out, T answer) {
            asked.add(id + ": " + what);
            onAsked.accept(what);
            StatusRuntimeException failure = failures.poll();
            if (failure == null) {
                answer(out, answer);
            } else {
                out.onError(failure);
            }
        }

        private static <T> void answer(StreamObserver<T> out, T answer) {
            out.onNext(answer);
            out.onCompleted();
        }
    }

    @Override
    public Channel to(String endpoint) {
        ManagedChannel channel = channels.get(endpoint);
        if (endpoint.equals(DEAD)) {
            return InProcessChannelBuilder.forName("nobody listens here").build();
        }
        if (channel == null) {
            throw new IllegalStateException("no node at " + endpoint);
        }
        return channel;
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
        servers.forEach(Server::shutdownNow);
    }
}
