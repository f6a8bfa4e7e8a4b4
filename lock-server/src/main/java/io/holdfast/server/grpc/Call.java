package io.holdfast.server.grpc;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One request on its way to the leader, and how to answer it. Answered once; what comes later is dropped.
 *
 * @param <Q> kind of request
 * @param <A> kind of answer
 */
final class Call<Q, A> {
    /** Percent of a client's patience for which an ask may block; the rest is for the way. */
    private static final int BLOCK_SHARE = 90;

    /**
     * What a request comes to.
     *
     * @param <A> kind of answer
     * @param isRead whether it changes nothing, so that it may be repeated whatever became of it
     * @param block how long it asked to wait
     * @param here carries it out on this node, waiting for so long at most
     */
    record Task<A>(boolean isRead, Duration block, Function<Duration, CompletionStage<A>> here) {
        static <A> Task<A> write(Supplier<CompletionStage<A>> here) {
            return new Task<>(false, Duration.ZERO, block -> here.get());
        }

        static <A> Task<A> read(Supplier<CompletionStage<A>> here) {
            return new Task<>(true, Duration.ZERO, block -> here.get());
        }
    }

    private final MethodDescriptor<Q, A> method;
    private final Q request;
    private final Task<A> task;
    private final boolean isForwarded;
    private final Context context;
    private final StreamObserver<A> out;
    private final long arrivedNanos = System.nanoTime();

    // Whether the answer is on its way: decided once, by whichever thread is first.
    private final AtomicBoolean isAnswered = new AtomicBoolean();

    Call(MethodDescriptor<Q, A> method, Q request, Task<A> task, boolean isForwarded, StreamObserver<A> out) {
        this.method = method;
        this.request = request;
        this.task = task;
        this.isForwarded = isForwarded;
        this.context = Context.current();
        this.out = out;
        ignoreCancellation(out);
    }

    /** Without this, an answer to a call that its client has cancelled would throw. */
    static void ignoreCancellation(StreamObserver<?> out) {
        if (out instanceof ServerCallStreamObserver<?> call) {
            call.setOnCancelHandler(() -> {});
        }
    }

    MethodDescriptor<Q, A> method() {
        return method;
    }

    Q request() {
        return request;
    }

    Task<A> task() {
        return task;
    }

    /** {@return whether another node passed it on: then it goes no further} */
    boolean isForwarded() {
        return isForwarded;
    }

    /** {@return whether nobody waits for the answer any more} */
    boolean isOver() {
        return isAnswered.get() || context.isCancelled();
    }

    /** {@return how long ago it arrived} */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - arrivedNanos);
    }

    /** {@return how long the client waits yet, or the given time if that is less} */
    Duration patience(Duration most) {
        Deadline deadline = context.getDeadline();
        if (deadline == null) {
            return most;
        }
        Duration left = Duration.ofNanos(Math.max(0, deadline.timeRemaining(TimeUnit.NANOSECONDS)));
        return left.compareTo(most) < 0 ? left : most;
    }

    /** Carries it out on this node. */
    CompletionStage<A> runHere() {
        Duration block = patience(Duration.ofDays(1)).multipliedBy(BLOCK_SHARE).dividedBy(100);
        return task.here().apply(block.compareTo(task.block()) < 0 ? block : task.block());
    }

    void answer(A answer) {
        if (isAnswered.compareAndSet(false, true) && !context.isCancelled()) {
            out.onNext(answer);
            out.onCompleted();
        }
    }

    void fail(Throwable failure) {
        if (isAnswered.compareAndSet(false, true) && !context.isCancelled()) {
            out.onError(Statuses.of(failure, method.getFullMethodName()));
        }
    }
}
