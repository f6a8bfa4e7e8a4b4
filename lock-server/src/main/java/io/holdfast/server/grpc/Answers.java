package io.holdfast.server.grpc;

import io.holdfast.core.Bounds.Violation;
import io.holdfast.core.End;
import io.holdfast.core.FencingToken;
import io.holdfast.core.HoldView;
import io.holdfast.core.LockView;
import io.holdfast.core.Outcome;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.AcquireResponse.NotGranted;
import io.holdfast.v1.AnswerHeader;
import io.holdfast.v1.CloseSessionResponse;
import io.holdfast.v1.Ended;
import io.holdfast.v1.ErrorReason;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.GiveUpResponse;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.Lock;
import io.holdfast.v1.NotHeld;
import io.holdfast.v1.OpenSessionResponse;
import io.holdfast.v1.ReleaseResponse;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.RenewSessionsResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Outcomes of the core, as responses of the public API; those that are errors there are thrown. */
final class Answers {
    /** A page of locks ends early rather than grow beyond what clients take in by default (4 MiB). */
    private static final int MAX_PAGE_BYTES = 2 << 20;

    private final String nodeId;

    Answers(String nodeId) {
        this.nodeId = nodeId;
    }

    AcquireResponse acquired(Answer<Outcome> answer) {
        AcquireResponse.Builder response = AcquireResponse.newBuilder().setHeader(header(answer));
        return switch (answer.value()) {
            case Outcome.Granted it ->
                response.setGranted(Views.hold(it.hold())).build();
            case Outcome.Queued it -> response.setWaiting(waiting(it.holder())).build();
            case Outcome.Held it ->
                response.setNotGranted(notGranted(NotGranted.Reason.HELD, it.holder()))
                        .build();
            case Outcome.OwnerBusy it ->
                response.setNotGranted(notGranted(NotGranted.Reason.OWNER_BUSY, it.holder()))
                        .build();
            case Outcome.Ended it ->
                response.setEnded(ended(it.how(), it.token())).build();
            case Outcome other -> throw failure(other);
        };
    }

    GiveUpResponse gaveUp(Answer<Outcome> answer) {
        GiveUpResponse.Builder response = GiveUpResponse.newBuilder().setHeader(header(answer));
        return switch (answer.value()) {
            case Outcome.Granted it ->
                response.setGranted(Views.hold(it.hold())).build();
            case Outcome.Ended it ->
                response.setEnded(ended(it.how(), it.token())).build();
            // The acquire had been refused: there is nothing to give up, and nothing will be granted.
            case Outcome.Held it ->
                response.setEnded(ended(End.GAVE_UP, Optional.empty())).build();
            case Outcome.OwnerBusy it ->
                response.setEnded(ended(End.GAVE_UP, Optional.empty())).build();
            case Outcome other -> throw failure(other);
        };
    }

    ReleaseResponse released(Answer<Outcome> answer) {
        ReleaseResponse.Builder response = ReleaseResponse.newBuilder().setHeader(header(answer));
        return switch (answer.value()) {
            case Outcome.Released it ->
                response.setReleased(ReleaseResponse.Released.newBuilder()
                                .setToken(it.token().value()))
                        .build();
            case Outcome.NotHeld it -> response.setNotHeld(notHeld(it.holder())).build();
            case Outcome other -> throw failure(other);
        };
    }

    RenewResponse renewed(Answer<Outcome> answer) {
        RenewResponse.Builder response = RenewResponse.newBuilder().setHeader(header(answer));
        return switch (answer.value()) {
            case Outcome.Renewed it ->
                response.setRenewed(Views.hold(it.hold())).build();
            case Outcome.NotHeld it -> response.setNotHeld(notHeld(it.holder())).build();
            case Outcome other -> throw failure(other);
        };
    }

    OpenSessionResponse opened(Answer<Outcome> answer) {
        return switch (answer.value()) {
            case Outcome.SessionOpened it ->
                OpenSessionResponse.newBuilder()
                        .setHeader(header(answer))
                        .setSession(Views.session(it.session()))
                        .build();
            case Outcome other -> throw failure(other);
        };
    }

    RenewSessionsResponse sessionsRenewed(Answer<Outcome> answer) {
        return switch (answer.value()) {
            case Outcome.SessionsRenewed it ->
                RenewSessionsResponse.newBuilder()
                        .setHeader(header(answer))
                        .addAllGone(it.gone().stream().map(Views::id).toList())
                        .build();
            case Outcome other -> throw failure(other);
        };
    }

    CloseSessionResponse closed(Answer<Outcome> answer) {
        return switch (answer.value()) {
            case Outcome.SessionClosed it ->
                CloseSessionResponse.newBuilder().setHeader(header(answer)).build();
            case Outcome other -> throw failure(other);
        };
    }

    GetLockResponse lock(Answer<Optional<LockView>> answer) {
        GetLockResponse.Builder response = GetLockResponse.newBuilder().setHeader(header(answer));
        answer.value().ifPresent(lock -> response.setLock(Views.lock(lock)));
        return response.build();
    }

    /**
     * A page of locks.
     *
     * @param answer the locks, one more than fit on the page if there are more
     * @param pageSize most locks on the page
     */
    ListLocksResponse locks(Answer<List<LockView>> answer, int pageSize) {
        ListLocksResponse.Builder response = ListLocksResponse.newBuilder().setHeader(header(answer));
        int bytes = 0;
        for (LockView view : answer.value()) {
            Lock lock = Views.lock(view);
            bytes += lock.getSerializedSize();
            boolean isFull =
                    response.getLocksCount() == pageSize || (bytes > MAX_PAGE_BYTES && response.getLocksCount() > 0);
            if (isFull) {
                return response.setMore(true).build();
            }
            response.addLocks(lock);
        }
        return response.build();
    }

    /** The same answer, which may be stale, with what is known of its age. */
    static GetLockResponse withAge(GetLockResponse answer, OptionalLong ageMillis) {
        return answer.toBuilder()
                .setHeader(withAge(answer.getHeader(), ageMillis))
                .build();
    }

    /** The same answer, which may be stale, with what is known of its age. */
    static ListLocksResponse withAge(ListLocksResponse answer, OptionalLong ageMillis) {
        return answer.toBuilder()
                .setHeader(withAge(answer.getHeader(), ageMillis))
                .build();
    }

    private static AnswerHeader withAge(AnswerHeader header, OptionalLong ageMillis) {
        AnswerHeader.Builder aged = header.toBuilder();
        ageMillis.ifPresent(aged::setAgeMs);
        return aged.build();
    }

    private AnswerHeader header(Answer<?> answer) {
        return AnswerHeader.newBuilder()
                .setAppliedIndex(answer.appliedIndex())
                .setLeaseTime(answer.leaseTimeNanos())
                .setNodeId(nodeId)
                .build();
    }

    /** An outcome that is an error in the public API, or that no answer to this request can be. */
    private static RuntimeException failure(Outcome outcome) {
        return switch (outcome) {
            case Outcome.NoSuchSession it ->
                Refused.because(ErrorReason.NO_SUCH_SESSION, "the session expired, was closed, or was never opened");
            case Outcome.TooLate it ->
                Refused.because(
                        ErrorReason.TOO_LATE,
                        "the request was first sent too long ago: it was not carried out now, and may have been before");
            case Outcome.AlreadyAnswered it ->
                Refused.because(
                        ErrorReason.ALREADY_ANSWERED, "the client has said that it saw the answer to this request");
            case Outcome.LimitReached it ->
                Refused.because(
                        ErrorReason.LIMIT_REACHED,
                        "there are " + it.limit() + " " + it.what() + " already, and more there cannot be",
                        Map.of("limit", it.what(), "value", Long.toString(it.limit())));
            case Outcome.Granted it -> misused();
            case Outcome.Queued it -> misused();
            case Outcome.Held it -> misused();
            case Outcome.OwnerBusy it -> misused();
            case Outcome.Ended it -> misused();
            case Outcome.Released it -> misused();
            case Outcome.NotHeld it -> misused();
            case Outcome.Renewed it -> misfit(it);
            case Outcome.SessionsRenewed it -> misfit(it);
            case Outcome.SessionOpened it -> misfit(it);
            case Outcome.SessionClosed it -> misfit(it);
            case Outcome.FeatureLevel it -> misfit(it);
            // No door asks for what leads to these yet.
            case Outcome.FeatureLevelTooLow it -> misfit(it);
            case Outcome.OtherMode it -> misfit(it);
            case Outcome.NotAlone it -> misfit(it);
            case Outcome.OtherKind it -> misfit(it);
            case Outcome.PartOfSet it -> misfit(it);
            case Outcome.GrantedAll it -> misfit(it);
            case Outcome.FewerPermits it -> misfit(it);
            case Outcome.PermitsReleased it -> misfit(it);
            case Outcome.Proclaimed it -> misfit(it);
            case Outcome.Deadlock it -> misfit(it);
            case Outcome.HandedOff it -> misfit(it);
            case Outcome.NoSuchTarget it -> misfit(it);
            case Outcome.TargetBusy it -> misfit(it);
            case Outcome.Revoking it -> misfit(it);
            case Outcome.Revoked it -> misfit(it);
        };
    }

    /** The store remembers another request under this tag. */
    private static RuntimeException misused() {
        return Refused.invalid(List.of(new Violation(
                "tag", "that of another request", "one that is used for this request and its retries only")));
    }

    /** Not the client's doing: no tag can lead to such an answer. */
    private static RuntimeException misfit(Outcome outcome) {
        return new IllegalStateException("no answer to this request: " + outcome);
    }

    private static AcquireResponse.Waiting waiting(Optional<HoldView> holder) {
        AcquireResponse.Waiting.Builder waiting = AcquireResponse.Waiting.newBuilder();
        holder.ifPresent(it -> waiting.setHolder(Views.hold(it)));
        return waiting.build();
    }

    private static NotGranted notGranted(NotGranted.Reason reason, Optional<HoldView> holder) {
        NotGranted.Builder refusal = NotGranted.newBuilder().setReason(reason);
        holder.ifPresent(it -> refusal.setHolder(Views.hold(it)));
        return refusal.build();
    }

    private static NotHeld notHeld(Optional<HoldView> holder) {
        NotHeld.Builder refusal = NotHeld.newBuilder();
        holder.ifPresent(it -> refusal.setHolder(Views.hold(it)));
        return refusal.build();
    }

    private static Ended ended(End how, Optional<FencingToken> token) {
        return Ended.newBuilder()
                .setHow(
                        switch (how) {
                            case RELEASED, CONVERTED, HANDED_OFF, REVOKED -> Ended.How.RELEASED;
                            case EXPIRED -> Ended.How.EXPIRED;
                            case TIMED_OUT -> Ended.How.TIMED_OUT;
                            case GAVE_UP -> Ended.How.GAVE_UP;
                        })
                .setToken(token.map(FencingToken::value).orElse(0L))
                .build();
    }
}
