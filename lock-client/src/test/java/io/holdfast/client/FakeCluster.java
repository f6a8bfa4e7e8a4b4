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
import io.holdfast.v1.AcquireAllRequest;
import io.holdfast.v1.AcquireAllResponse;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.AnswerHeader;
import io.holdfast.v1.CheckTokenRequest;
import io.holdfast.v1.CheckTokenResponse;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.ConvertRequest;
import io.holdfast.v1.ConvertResponse;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.GetNodeStatusRequest;
import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.GiveUpAllRequest;
import io.holdfast.v1.GiveUpAllResponse;
import io.holdfast.v1.GiveUpRequest;
import io.holdfast.v1.GiveUpResponse;
import io.holdfast.v1.GrantedAll;
import io.holdfast.v1.Hold;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Member;
import io.holdfast.v1.Owner;
import io.holdfast.v1.ProclaimRequest;
import io.holdfast.v1.ProclaimResponse;
import io.holdfast.v1.ReleaseAllRequest;
import io.holdfast.v1.ReleaseAllResponse;
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

    final List<AcquireAllRequest> setAcquires = Collections.synchronizedList(new ArrayList<>());
    final List<GiveUpAllRequest> setGiveUps = Collections.synchronizedList(new ArrayList<>());
    final List<ReleaseAllRequest> setReleases = Collections.synchronizedList(new ArrayList<>());
    final List<ConvertRequest> conversions = Collections.synchronizedList(new ArrayList<>());
    final List<ProclaimRequest> proclamations = Collections.synchronizedList(new ArrayList<>());
    Function<AcquireAllRequest, AcquireAllResponse> onAcquireAll = request -> grantedAll(request, 65_536);
    Function<GiveUpAllRequest, GiveUpAllResponse> onGiveUpAll = request -> GiveUpAllResponse.getDefaultInstance();
    Function<ReleaseRequest, ReleaseResponse> onRelease = request -> ReleaseResponse.newBuilder()
            .setReleased(ReleaseResponse.Released.newBuilder().setToken(request.getToken()))
            .build();
    Function<ConvertRequest, ConvertResponse> onConvert = request -> ConvertResponse.getDefaultInstance();
    Function<ProclaimRequest, ProclaimResponse> onProclaim = request -> ProclaimResponse.getDefaultInstance();
    Function<CheckTokenRequest, CheckTokenResponse> onCheck = request -> CheckTokenResponse.getDefaultInstance();

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
        answer(out, () -> onRelease.apply(request));
    }

    @Override
    public void acquireAll(AcquireAllRequest request, StreamObserver<AcquireAllResponse> out) {
        setAcquires.add(request);
        answer(out, () -> onAcquireAll.apply(request));
    }

    @Override
    public void giveUpAll(GiveUpAllRequest request, StreamObserver<GiveUpAllResponse> out) {
        setGiveUps.add(request);
        answer(out, () -> onGiveUpAll.apply(request));
    }

    @Override
    public void releaseAll(ReleaseAllRequest request, StreamObserver<ReleaseAllResponse> out) {
        setReleases.add(request);
        answer(
                out,
                () -> ReleaseAllResponse.newBuilder()
                        .setReleased(ReleaseResponse.Released.newBuilder().setToken(request.getToken()))
                        .build());
    }

    @Override
    public void convert(ConvertRequest request, StreamObserver<ConvertResponse> out) {
        conversions.add(request);
        answer(out, () -> onConvert.apply(request));
    }

    @Override
    public void proclaim(ProclaimRequest request, StreamObserver<ProclaimResponse> out) {
        proclamations.add(request);
        answer(out, () -> onProclaim.apply(request));
    }

    @Override
    public void checkToken(CheckTokenRequest request, StreamObserver<CheckTokenResponse> out) {
        answer(out, () -> onCheck.apply(request));
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

    AcquireAllResponse grantedAll(AcquireAllRequest request, long token) {
        GrantedAll.Builder all = GrantedAll.newBuilder().setToken(token);
        request.getWantsList()
                .forEach(want -> all.addHolds(hold(want.getName(), request.getOwner(), token, request.getTtlMs())));
        return AcquireAllResponse.newBuilder()
                .setHeader(AnswerHeader.newBuilder().setNodeId("n1").setLeaseTime(leaseTime))
                .setGranted(all)
                .build();
    }

    AcquireResponse waiting(AcquireRequest request) {
        return AcquireResponse.newBuilder()
                .setWaiting(AcquireResponse.Waiting.newBuilder()
                        .setHolder(hold(request.getName(), owner("other"), 1, 10_000)))
                .build();
    }

    static Owner owner(String id) {
        return Owner.newBuilder().setId(id).build();
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
