package io.holdfast.server.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.stub.StreamObserver;
import io.holdfast.server.grpc.Call.Task;
import io.holdfast.v1.ErrorReason;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes each request to the leader: to this node's store if it leads, to the leader's door otherwise.
 *
 * <p>A request for which there is certainly no leader yet waits a while for one, and so rides over an election; this costs nothing, for it has had no effect. A request that may have had its effect is never sent again from here: that is for its client to decide, which knows whether it still wants it. A request that another door passed on goes no further.
 */
final class Router {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private final String nodeId;
    private final Cluster cluster;
    private final Peers peers;
    private final WaitingRoom waitingRoom;

    Router(String nodeId, Cluster cluster, Peers peers, WaitingRoom waitingRoom) {
        this.nodeId = nodeId;
        this.cluster = cluster;
        this.peers = peers;
        this.waitingRoom = waitingRoom;
    }

    /**
     * Serves a request.
     *
     * @param check checks the request and tells what it comes to; throws if it is not sound
     */
    <Q, A> void serve(MethodDescriptor<Q, A> method, Q request, StreamObserver<A> out, Supplier<Task<A>> check) {
        Task<A> task;
        try {
            task = check.get();
        } catch (RuntimeException e) {
            out.onError(Statuses.of(e, method.getFullMethodName()));
            return;
        }
        attempt(new Call<>(method, request, task, ForwardedHeader.isSet(), out));
    }

    /** Serves a request on the node that got it, whoever leads. */
    static <Q, A> void serveHere(MethodDescriptor<Q, A> method, Q request, StreamObserver<A> out, Task<A> task) {
        Call<Q, A> call = new Call<>(method, request, task, true, out);
        try {
            var unused = call.runHere().whenComplete((answer, failure) -> {
                if (failure != null) {
                    call.fail(failure);
                } else {
                    call.answer(Objects.requireNonNull(answer));
                }
            });
        } catch (RuntimeException e) {
            call.fail(e);
        }
    }

    private <Q, A> void attempt(Call<Q, A> call) {
        if (call.isOver()) {
            return; // what nobody waits for is not carried out
        }
        try {
            var unused = destination(call).whenComplete((answer, failure) -> settle(call, answer, failure));
        } catch (RuntimeException e) {
            failed(call, e);
        }
    }

    private <Q, A> void settle(Call<Q, A> call, @Nullable A answer, @Nullable Throwable failure) {
        try {
            if (failure != null) {
                failed(call, failure);
            } else {
                call.answer(Objects.requireNonNull(answer));
            }
        } catch (RuntimeException e) {
            // The stage that calls this would swallow it.
            LOG.error("Cannot answer {}", call.method().getFullMethodName(), e);
        }
    }

    private <Q, A> CompletionStage<A> destination(Call<Q, A> call) {
        if (cluster.isLeading()) {
            return call.runHere();
        }
        Optional<Cluster.Member> leader =
                cluster.view().leader().filter(it -> !it.id().equals(nodeId));
        if (call.isForwarded()) {
            throw Refused.because(
                    ErrorReason.NO_LEADER,
                    "node " + nodeId + " does not lead"
                            + leader.map(it -> "; " + it.id() + " does").orElse(""));
        }
        if (leader.isEmpty()) {
            throw Refused.because(ErrorReason.NO_LEADER, "no leader is known to node " + nodeId);
        }
        return peers.forward(leader.get(), call);
    }

    private <Q, A> void failed(Call<Q, A> call, Throwable failure) {
        boolean mayRepeat = !call.isForwarded()
                && Statuses.reason(failure)
                        .filter(reason -> hadNoEffect(reason, call))
                        .isPresent();
        if (!mayRepeat || !waitingRoom.admit(call, () -> attempt(call))) {
            call.fail(failure);
        }
    }

    /** Whether the request found no leader, and certainly had no effect. */
    private static boolean hadNoEffect(ErrorReason reason, Call<?, ?> call) {
        return switch (reason) {
            case NO_LEADER, SHUTTING_DOWN -> true;
            case OUTCOME_UNKNOWN -> call.task().isRead();
            case ERROR_REASON_UNSPECIFIED,
                    INVALID_FIELD,
                    REQUEST_TOO_LARGE,
                    NO_SUCH_SESSION,
                    TOO_LATE,
                    ALREADY_ANSWERED,
                    LIMIT_REACHED,
                    OVERLOADED,
                    INTERNAL_ERROR,
                    // These had none either; but what stands in the way will stand there for a while.
                    NO_SUCH_MEMBER,
                    ALREADY_MEMBER,
                    CHANGE_UNDER_WAY,
                    MEMBER_NOT_READY,
                    LAST_MEMBER,
                    DISK_UNUSABLE,
                    TOO_OLD,
                    WATCH_TOO_SLOW,
                    WATCH_INTERRUPTED,
                    FEATURE_LEVEL_TOO_LOW,
                    UNRECOGNIZED -> false;
        };
    }
}
