package io.holdfast.server.grpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.server.grpc.Call.Task;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.KeepSessionsAliveRequest;
import io.holdfast.v1.KeepSessionsAliveResponse;
import io.holdfast.v1.RenewSessionsRequest;
import io.holdfast.v1.RenewSessionsResponse;
import io.holdfast.v1.SessionServiceGrpc;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The streams over which clients renew their sessions. Each message is a renewal of its own: a stream holds no rules, and keeps nothing alive by being open. */
final class KeepAliveStreams {
    private static final String METHOD =
            SessionServiceGrpc.getKeepSessionsAliveMethod().getFullMethodName();

    private final Router router;
    private final Function<RenewSessionsRequest, Task<RenewSessionsResponse>> renewal;
    private final Set<Stream> open = ConcurrentHashMap.newKeySet();

    /**
     * Creates it.
     *
     * @param renewal checks a renewal and tells what it comes to
     */
    KeepAliveStreams(Router router, Function<RenewSessionsRequest, Task<RenewSessionsResponse>> renewal) {
        this.router = router;
        this.renewal = renewal;
    }

    StreamObserver<KeepSessionsAliveRequest> open(ServerCallStreamObserver<KeepSessionsAliveResponse> client) {
        Stream stream = new Stream(client);
        open.add(stream);
        client.setOnCancelHandler(() -> open.remove(stream));
        // One message at a time: what a client sends faster than it is answered stays with the client.
        client.disableAutoRequest();
        client.request(1);
        return stream;
    }

    /** Ends all of them, so that a node which stops need not wait. */
    void close() {
        open.forEach(stream -> stream.fail(Refused.because(ErrorReason.SHUTTING_DOWN, "the node is stopping")));
    }

    /** One stream. Messages come on the transport's thread, answers on others. */
    private final class Stream implements StreamObserver<KeepSessionsAliveRequest> {
        private final ServerCallStreamObserver<KeepSessionsAliveResponse> client;

        // Guarded by this object, as are all calls of the client: gRPC takes one at a time.
        private boolean isAnswering;
        private boolean isLastRead;
        private boolean isOver;

        Stream(ServerCallStreamObserver<KeepSessionsAliveResponse> client) {
            this.client = client;
        }

        @Override
        public void onNext(KeepSessionsAliveRequest message) {
            synchronized (this) {
                isAnswering = true;
            }
            RenewSessionsRequest request = RenewSessionsRequest.newBuilder()
                    .addAllSessionIds(message.getSessionIdsList())
                    .build();
            router.serve(
                    SessionServiceGrpc.getRenewSessionsMethod(),
                    request,
                    new Reply(this, message.getNumber()),
                    () -> renewal.apply(request));
        }

        @Override
        public void onError(Throwable failure) {
            open.remove(this); // the client is gone
        }

        @Override
        public synchronized void onCompleted() {
            isLastRead = true;
            if (!isAnswering) {
                complete();
            }
        }

        synchronized void answer(KeepSessionsAliveResponse answer) {
            isAnswering = false;
            if (isOver || client.isCancelled()) {
                return;
            }
            client.onNext(answer);
            if (isLastRead) {
                complete();
            } else {
                client.request(1);
            }
        }

        synchronized void fail(Throwable failure) {
            if (!isOver && !client.isCancelled()) {
                isOver = true;
                client.onError(Statuses.of(failure, METHOD));
            }
            open.remove(this);
        }

        private void complete() {
            if (!isOver && !client.isCancelled()) {
                isOver = true;
                client.onCompleted();
            }
            open.remove(this);
        }
    }

    /** Where the answer to one message goes. */
    private record Reply(Stream stream, long number) implements StreamObserver<RenewSessionsResponse> {
        @Override
        public void onNext(RenewSessionsResponse renewed) {
            stream.answer(KeepSessionsAliveResponse.newBuilder()
                    .setHeader(renewed.getHeader())
                    .setNumber(number)
                    .addAllGone(renewed.getGoneList())
                    .build());
        }

        @Override
        public void onError(Throwable failure) {
            stream.fail(failure);
        }

        @Override
        public void onCompleted() {}
    }
}
