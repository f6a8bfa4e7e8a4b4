package io.holdfast.server.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.ClusterServiceGrpc;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.GetNodeStatusRequest;
import io.holdfast.v1.GetNodeStatusResponse;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Passes requests on to the doors of other nodes, and relays their answers. One connection to each. */
final class Peers implements AutoCloseable {
    private static final long ASK_MILLIS = 1_000;
    private static final long CLOSE_NANOS = 300_000_000;

    private final String nodeId;
    private final Duration timeout;
    private final EventLoopGroup ioThreads;

    // By endpoint: a member that moves gets a new line.
    private final Map<String, PeerLine> lines = new ConcurrentHashMap<>();

    Peers(String nodeId, Duration timeout, EventLoopGroup ioThreads) {
        this.nodeId = nodeId;
        this.timeout = timeout;
        this.ioThreads = ioThreads;
    }

    /**
     * Passes a request on.
     *
     * @return its answer; or a failure that is the other node's own, or {@link ErrorReason#NO_LEADER} if the request certainly never got there, or else {@link ErrorReason#OUTCOME_UNKNOWN}
     */
    <Q, A> CompletionStage<A> forward(Cluster.Member peer, Call<Q, A> call) {
        PeerLine line = lines.computeIfAbsent(peer.endpoint(), endpoint -> new PeerLine(endpoint, ioThreads));
        Passage<A> passage = new Passage<>(peer);
        Channel channel = ClientInterceptors.intercept(
                line.channel(), MetadataUtils.newAttachHeadersInterceptor(ForwardedHeader.of(nodeId)));
        Duration patience = call.patience(timeout.plus(call.task().block()));
        ClientCall<Q, A> out = channel.newCall(
                call.method(),
                CallOptions.DEFAULT
                        .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS)
                        .withStreamTracerFactory(passage));
        line.start(out, () -> ClientCalls.asyncUnaryCall(out, call.request(), passage));
        return passage.answer.whenComplete((answer, failure) -> line.ended(out));
    }

    /**
     * Asks a peer's own door.
     *
     * @return the highest feature level that it knows; or a failure if it does not say so in time
     */
    CompletionStage<Integer> featureLevelKnownBy(Cluster.Member peer) {
        PeerLine line = lines.computeIfAbsent(peer.endpoint(), endpoint -> new PeerLine(endpoint, ioThreads));
        Passage<GetNodeStatusResponse> passage = new Passage<>(peer);
        ClientCall<GetNodeStatusRequest, GetNodeStatusResponse> out = line.channel()
                .newCall(
                        ClusterServiceGrpc.getGetNodeStatusMethod(),
                        CallOptions.DEFAULT.withDeadlineAfter(ASK_MILLIS, TimeUnit.MILLISECONDS));
        ClientCalls.asyncUnaryCall(out, GetNodeStatusRequest.getDefaultInstance(), passage);
        // A version that does not know the field knows no level but the first.
        return passage.answer.thenApply(status -> Math.max(1, status.getFeatureLevelKnown()));
    }

    /**
     * Gives up what is under way to any other node than the new leader: it may hang there for long. Its clients are told to ask again.
     *
     * @param leader the new leader
     */
    void followLeader(Cluster.Member leader) {
        lines.forEach((endpoint, line) -> {
            if (!endpoint.equals(leader.endpoint())) {
                line.giveUp("the leader changed to " + leader.id());
            }
        });
    }

    @Override
    public void close() {
        lines.values().forEach(PeerLine::close);
        long deadline = System.nanoTime() + CLOSE_NANOS;
        lines.values().forEach(line -> line.awaitClosed(deadline - System.nanoTime()));
    }

    /** One request under way to a peer. Notes whether it was sent at all. */
    private static final class Passage<A> extends ClientStreamTracer.Factory implements StreamObserver<A> {
        final CompletableFuture<A> answer = new CompletableFuture<>();
        private final Cluster.Member peer;
        private @Nullable A value;

        // Set by the transport's thread, read by the one that ends the call.
        private volatile boolean wasSent;

        Passage(Cluster.Member peer) {
            this.peer = peer;
        }

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void outboundHeaders() {
                    wasSent = true;
                }
            };
        }

        @Override
        public void onNext(A it) {
            value = it;
        }

        @Override
        public void onError(Throwable failure) {
            answer.completeExceptionally(Statuses.reason(failure).isPresent() ? failure : transportFailure(failure));
        }

        @Override
        public void onCompleted() {
            answer.complete(value);
        }

        private Throwable transportFailure(Throwable failure) {
            String cause = failure instanceof StatusRuntimeException it
                    ? it.getStatus().getCode().name()
                    : failure.toString();
            return wasSent
                    ? Refused.because(
                            ErrorReason.OUTCOME_UNKNOWN,
                            "the leader " + peer.id() + " did not answer (" + cause + "): ask again")
                    : Refused.because(
                            ErrorReason.NO_LEADER,
                            "the leader " + peer.id() + " at " + peer.endpoint() + " cannot be reached");
        }
    }
}
