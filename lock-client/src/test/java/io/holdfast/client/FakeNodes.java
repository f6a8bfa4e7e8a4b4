package io.holdfast.client;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.AnswerHeader;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.GetNodeStatusRequest;
import io.holdfast.v1.GetNodeStatusResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.v1.WatchServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/** Nodes that are watched: whichever is asked, the next answer is what the test has planned. In this process. */
final class FakeNodes implements Endpoints {
    final List<WatchRequest> requests = Collections.synchronizedList(new ArrayList<>());
    final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final Queue<Consumer<StreamObserver<WatchResponse>>> plan = new ArrayDeque<>();
    private final Server server;
    private final ManagedChannel channel;

    /** What a look at a lock is answered. */
    volatile GetLockResponse present =
            GetLockResponse.newBuilder().setHeader(header(1)).build();

    FakeNodes(String name) {
        try {
            server = InProcessServerBuilder.forName(name)
                    .addService(new Watching())
                    .addService(new Looking())
                    .addService(new Status())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    static AnswerHeader header(long index) {
        return AnswerHeader.newBuilder().setNodeId("n1").setAppliedIndex(index).build();
    }

    /** The next watch that is asked for is answered like this. */
    synchronized FakeNodes then(Consumer<StreamObserver<WatchResponse>> answer) {
        plan.add(answer);
        return this;
    }

    private synchronized Consumer<StreamObserver<WatchResponse>> next() {
        Consumer<StreamObserver<WatchResponse>> answer = plan.poll();
        return answer == null ? out -> {} : answer;
    }

    @Override
    public Channel to(String endpoint) {
        asked.add(endpoint);
        return channel;
    }

    private final class Watching extends WatchServiceGrpc.WatchServiceImplBase {
        @Override
        public void watch(WatchRequest request, StreamObserver<WatchResponse> out) {
            requests.add(request);
            next().accept(out);
        }
    }

    private final class Looking extends LockServiceGrpc.LockServiceImplBase {
        @Override
        public void getLock(GetLockRequest request, StreamObserver<GetLockResponse> out) {
            out.onNext(present);
            out.onCompleted();
        }
    }

    private static final class Status extends ClusterServiceGrpc.ClusterServiceImplBase {
        @Override
        public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<GetNodeStatusResponse> out) {
            out.onNext(GetNodeStatusResponse.getDefaultInstance());
            out.onCompleted();
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
    }
}
