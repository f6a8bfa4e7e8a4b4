package io.holdfast.server.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.ErrorReason;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** Answers reads from this node's own state, whoever leads. On threads of its own: such a read waits while an entry is applied, and a digest takes long. */
final class LocalReads {
    private final Executor threads;

    LocalReads(Executor threads) {
        this.threads = threads;
    }

    /**
     * Serves a read.
     *
     * @param read checks the request and answers it; throws if it is not sound
     */
    <A> void serve(MethodDescriptor<?, A> method, StreamObserver<A> out, Supplier<A> read) {
        Call.ignoreCancellation(out);
        try {
            threads.execute(() -> run(method, out, read));
        } catch (RejectedExecutionException e) {
            out.onError(Statuses.of(
                    Refused.because(ErrorReason.OVERLOADED, "too many reads wait already: try again later"),
                    method.getFullMethodName()));
        }
    }

    private static <A> void run(MethodDescriptor<?, A> method, StreamObserver<A> out, Supplier<A> read) {
        A answer;
        try {
            answer = read.get();
        } catch (RuntimeException e) {
            out.onError(Statuses.of(e, method.getFullMethodName()));
            return;
        }
        out.onNext(answer);
        out.onCompleted();
    }
}
