package io.holdfast.client;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.AnswerHeader;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.GetNodeStatusRequest;
import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.GiveUpRequest;
import io.holdfast.v1.GiveUpResponse;
import io.holdfast.v1.Hold;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Member;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.ReleaseResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** A cluster of one node that answers as the test says, in this process. Remembers what it was asked. */
final class FakeCluster extends LockServiceGrpc.LockServiceImplBase implements Endpoints {
    final List<AcquireRequest> acquires = Collections.synchronizedList(new ArrayList<>());
    final List<GiveUpRequest> giveUps = Collections.synchronizedList(new ArrayList<>());
    final List<ReleaseRequest> releases = Collections.synchronizedList(new ArrayList<>());

    /** What each acquire is answered; throws a StatusRuntimeException to fail. */
    Function<AcquireRequest, AcquireResponse> onAcquire = request -> granted(request, 65_536);

    Function<GiveUpRequest, GiveUpResponse> onGiveUp = request -> GiveUpResponse.getDefaultInstance();
    long leaseTime = 7_000;
    private final Server server;
    private final ManagedChannel channel;

    FakeCluster(String name) {
        try {
            server = InProcessServerBuilder.forName(name)
                    .addService(this)
                    .addService(new Status())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        channel = InProcessChannelBuilder.forName(name).build();
    }

    private final class Status extends ClusterServiceGrpc.ClusterServiceImplBase {
        @Override
        public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<GetNodeStatusResponse> out) {
            out.onNext(GetNodeStatusResponse.newBuilder()
                    .setNodeId("n1")
                    .setLeaderId("n1")
                    .setLeaseTime(leaseTime)
                    .addMembers(Member.newBuilder().setNodeId("n1").setEndpoint("n1:1"))
                    .build());
            out.onCompleted();
        }
    }

    @Override
    public Channel to(String endpoint) {
        return channel;
    }

    @Override
    public void acquire(AcquireRequest request, StreamObserver<AcquireResponse> out) {
        acquires.add(request);
        answer(out, () -> onAcquire.apply(request));
    }

    @Override
    public void giveUp(GiveUpRequest request, StreamObserver<GiveUpResponse> out) {
        giveUps.add(request);
        answer(out, () -> onGiveUp.apply(request));
    }

    @Override
    public void release(ReleaseRequest request, StreamObserver<ReleaseResponse> out) {
        releases.add(request);
        answer(
                out,
                () -> ReleaseResponse.newBuilder()
                        .setReleased(ReleaseResponse.Released.newBuilder().setToken(request.getToken()))
                        .build());
    }

    private static <T> void answer(StreamObserver<T> out, java.util.function.Supplier<T> answer) {
        try {
            out.onNext(answer.get());
            out.onCompleted();
        } catch (StatusRuntimeException e) {
            out.onError(e);
        }
    }

    AcquireResponse granted(AcquireRequest request, long token) {
        return AcquireResponse.newBuilder()
                .setHeader(AnswerHeader.newBuilder().setNodeId("n1").setLeaseTime(leaseTime))
                .setGranted(hold(request.getName(), request.getOwner(), token, request.getTtlMs()))
                .build();
    }

    AcquireResponse waiting(AcquireRequest request) {
        Owner other = Owner.newBuilder().setId("other").build();
        return AcquireResponse.newBuilder()
                .setWaiting(AcquireResponse.Waiting.newBuilder().setHolder(hold(request.getName(), other, 1, 10_000)))
                .build();
    }

    static Hold hold(String name, Owner owner, long token, long ttlMillis) {
        return Hold.newBuilder()
                .setName(name)
                .setOwner(owner)
                .setToken(token)
                .setLogIndex(token / 65_536)
                .setTtlMs(ttlMillis)
                .setRemainingMs(ttlMillis)
                .build();
    }

    static StatusRuntimeException error(int code, ErrorReason reason, String field) {
        com.google.rpc.Status.Builder status = com.google.rpc.Status.newBuilder()
                .setCode(code)
                .setMessage(field + " is wrong")
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setDomain("holdfast")
                        .setReason(reason.name())
                        .build()));
        if (!field.isEmpty()) {
            status.addDetails(Any.pack(BadRequest.newBuilder()
                    .addFieldViolations(BadRequest.FieldViolation.newBuilder().setField(field))
                    .build()));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
    }
}
