package io.holdfast.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.KeepSessionsAliveRequest;
import io.holdfast.v1.KeepSessionsAliveResponse;
import io.holdfast.v1.SessionServiceGrpc;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Renews sessions over one stream, which is opened at another node when it fails. For one thread; closed by any. */
final class RenewalStream implements SessionKeeper.Renewing {
    private final Router router;
    private @Nullable Open open;
    private int opened;
    private long number;

    RenewalStream(Router router) {
        this.router = router;
    }

    /** One stream at one node. */
    private static final class Open implements StreamObserver<KeepSessionsAliveResponse> {
        final StreamObserver<KeepSessionsAliveRequest> out;

        // The answer that is waited for; replaced before each message is sent.
        private volatile CompletableFuture<KeepSessionsAliveResponse> answer = new CompletableFuture<>();

        Open(SessionServiceGrpc.SessionServiceStub node) {
            this.out = node.keepSessionsAlive(this);
        }

        KeepSessionsAliveResponse exchange(KeepSessionsAliveRequest message, Duration patience)
                throws InterruptedException, TimeoutException, ExecutionException {
            if (!answer.isCompletedExceptionally()) {
                answer = new CompletableFuture<>();
                out.onNext(message);
            }
            return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void onNext(KeepSessionsAliveResponse response) {
            answer.complete(response);
        }

        @Override
        public void onError(Throwable failure) {
            fail(failure);
        }

        @Override
        public void onCompleted() {
            fail(new HoldfastException.Unavailable(true, "the node ended the stream"));
        }

        private void fail(Throwable failure) {
            if (!answer.completeExceptionally(failure)) {
                // The last answer had come: the next message finds this.
                answer = CompletableFuture.failedFuture(failure);
            }
        }
    }

    @Override
    public synchronized Set<String> renew(List<String> ids, Duration patience) throws InterruptedException {
        KeepSessionsAliveRequest.Builder message =
                KeepSessionsAliveRequest.newBuilder().setNumber(++number);
        ids.forEach(id -> message.addSessionIds(Answers.bytes("session", id)));
        try {
            KeepSessionsAliveResponse response = stream().exchange(message.build(), patience);
            router.learn(response.getHeader());
            return response.getGoneList().stream().map(Answers::hex).collect(Collectors.toSet());
        } catch (TimeoutException e) {
            throw unavailable("no answer within " + patience.toMillis() + " ms");
        } catch (ExecutionException | StatusRuntimeException e) {
            throw unavailable(String.valueOf(e.getMessage()));
        }
    }

    private Open stream() {
        Open present = open;
        if (present == null) {
            present = new Open(SessionServiceGrpc.newStub(router.channel(router.endpointFor(++opened))));
            open = present;
        }
        return present;
    }

    /** The next message goes over another stream, to another node. */
    private HoldfastException unavailable(String why) {
        close();
        return new HoldfastException.Unavailable(true, why);
    }

    @Override
    public synchronized void close() {
        Open present = open;
        open = null;
        if (present != null) {
            present.out.onError(Status.CANCELLED.asRuntimeException());
        }
    }
}
