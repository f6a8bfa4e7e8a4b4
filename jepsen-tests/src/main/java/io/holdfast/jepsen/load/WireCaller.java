package io.holdfast.jepsen.load;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.StatusRuntimeException;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.history.Lease;
import io.holdfast.jepsen.wire.ErrorReasons;
import io.holdfast.jepsen.wire.Wire;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.Hold;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Speaks to whichever node answers, with the same request again after each failure that allows it. */
public final class WireCaller implements Caller {
    private static final Duration CALL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long PAUSE_NANOS = MILLISECONDS.toNanos(50);

    private final List<Wire> nodes;
    private int present;
    private Optional<AcquireRequest> acquired = Optional.empty();

    /**
     * Connects when called.
     *
     * @param nodes the nodes to choose from
     * @param first the one to begin with
     */
    public WireCaller(List<Wire> nodes, int first) {
        this.nodes = List.copyOf(nodes);
        this.present = first;
    }

    /** An answer, and when its request was sent. */
    private record Sent<T>(T answer, long nanos) {}

    @Override
    public Result acquire(String lock, Duration ttl, Duration wait) {
        Optional<AcquireRequest> request = prepared(lock, ttl, wait);
        return request.map(r -> acquire(r, ttl, wait)).orElse(Result.ended(Answer.FAILED, "no node answers"));
    }

    private Result acquire(AcquireRequest request, Duration ttl, Duration wait) {
        acquired = Optional.of(request);
        Attempts attempts = new Attempts(PATIENCE.plus(wait));
        Duration timeout = CALL.plus(ttl.dividedBy(3));
        while (true) {
            Optional<Sent<AcquireResponse>> sent =
                    attempts.call(wire -> wire.locks(timeout).acquire(request));
            if (sent.isEmpty()) {
                return attempts.failure();
            }
            AcquireResponse answer = sent.get().answer();
            switch (answer.getResultCase()) {
                case GRANTED -> {
                    return Result.granted(lease(answer.getGranted(), sent.get().nanos()));
                }
                case WAITING -> {}
                case NOT_GRANTED -> {
                    return Result.ended(
                            Answer.NO, answer.getNotGranted().getReason().name());
                }
                case ENDED -> {
                    return Result.ended(Answer.NO, answer.getEnded().getHow().name());
                }
                case RESULT_NOT_SET -> throw new IllegalStateException("an answer without a result");
            }
        }
    }

    @Override
    public Result renew() {
        AcquireRequest hold = acquired.orElseThrow();
        RenewRequest request = RenewRequest.newBuilder()
                .setOwnerId(hold.getOwner().getId())
                .setName(hold.getName())
                .build();
        Attempts attempts = new Attempts(Duration.ofMillis(hold.getTtlMs()));
        return attempts.call(wire -> wire.locks(CALL).renew(request))
                .map(sent -> sent.answer().hasRenewed()
                        ? Result.granted(lease(sent.answer().getRenewed(), sent.nanos()))
                        : Result.ended(Answer.NO, "NOT_HELD"))
                .orElseGet(attempts::failure);
    }

    @Override
    public Result release() {
        AcquireRequest hold = acquired.orElseThrow();
        ReleaseRequest request = ReleaseRequest.newBuilder()
                .setOwner(hold.getOwner())
                .setName(hold.getName())
                .setTag(hold.getTag().toBuilder().setId(WireClient.randomId()))
                .build();
        Attempts attempts = new Attempts(PATIENCE);
        return attempts.call(wire -> wire.locks(CALL).release(request))
                .map(sent -> sent.answer().hasReleased()
                        ? Result.ended(Answer.YES, "")
                        : Result.ended(Answer.NO, "NOT_HELD"))
                .orElseGet(attempts::failure);
    }

    private Optional<AcquireRequest> prepared(String lock, Duration ttl, Duration wait) {
        for (int i = 0; i < nodes.size(); i++) {
            try {
                return Optional.of(new WireClient(() -> nodes.get(present)).request(lock, ttl, wait));
            } catch (IllegalStateException e) {
                tryNextNode();
            }
        }
        return Optional.empty();
    }

    private void tryNextNode() {
        present = (present + 1) % nodes.size();
    }

    private static Lease lease(Hold hold, long sentNanos) {
        long ttl = MILLISECONDS.toNanos(hold.getTtlMs());
        return new Lease(hold.getToken(), ttl, sentNanos, sentNanos + ttl - ttl / 100);
    }

    /** The sendings of one request. */
    private final class Attempts {
        private final long deadlineNanos;
        private boolean mayHaveHappened;
        private String error = "";

        Attempts(Duration patience) {
            deadlineNanos = System.nanoTime() + patience.toNanos();
        }

        /** {@return the first answer, or empty if there is none in time or there will be none} */
        <T> Optional<Sent<T>> call(Function<Wire, T> request) {
            while (System.nanoTime() - deadlineNanos < 0) {
                long sent = System.nanoTime();
                try {
                    return Optional.of(new Sent<>(request.apply(nodes.get(present)), sent));
                } catch (StatusRuntimeException e) {
                    if (!again(e)) {
                        return Optional.empty();
                    }
                }
            }
            return Optional.empty();
        }

        Result failure() {
            return Result.ended(mayHaveHappened ? Answer.UNKNOWN : Answer.FAILED, error);
        }

        /** Notes a failure. */
        private boolean again(StatusRuntimeException e) {
            ErrorReason reason = ErrorReasons.of(e);
            error = e.getStatus().getCode() + " " + reason + " " + e.getStatus().getDescription();
            return switch (reason) {
                case NO_LEADER, SHUTTING_DOWN, OVERLOADED -> pauseAndMoveOn();
                // No reason: the connection broke, or the call took too long.
                case OUTCOME_UNKNOWN, ERROR_REASON_UNSPECIFIED -> {
                    mayHaveHappened = true;
                    yield pauseAndMoveOn();
                }
                default -> false;
            };
        }

        private boolean pauseAndMoveOn() {
            tryNextNode();
            LockSupport.parkNanos(PAUSE_NANOS);
            return true;
        }
    }
}
