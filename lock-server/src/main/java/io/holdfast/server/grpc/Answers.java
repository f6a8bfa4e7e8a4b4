package io.holdfast.server.grpc;

import io.holdfast.core.HoldView;
import io.holdfast.core.LockName;
import io.holdfast.core.LockView;
import io.holdfast.core.Outcome;
import io.holdfast.core.SessionClaims;
import io.holdfast.core.SessionView;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.AnswerHeader;
import io.holdfast.v1.CloseSessionResponse;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.GetSessionResponse;
import io.holdfast.v1.GiveUpResponse;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.ListSessionsResponse;
import io.holdfast.v1.Lock;
import io.holdfast.v1.OpenSessionResponse;
import io.holdfast.v1.ReleaseResponse;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.RenewSessionsResponse;
import java.util.List;
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
            case Outcome.Ended it ->
                response.setEnded(Refusals.ended(it.how(), it.token())).build();
            case Outcome other ->
                response.setNotGranted(Refusals.notGranted(other).orElseThrow(() -> Refusals.failure(other)))
                        .build();
        };
    }

    GiveUpResponse gaveUp(Answer<Outcome> answer) {
        GiveUpResponse.Builder response = GiveUpResponse.newBuilder().setHeader(header(answer));
        return switch (answer.value()) {
            case Outcome.Granted it ->
                response.setGranted(Views.hold(it.hold())).build();
            case Outcome.Ended it ->
                response.setEnded(Refusals.ended(it.how(), it.token())).build();
            case Outcome refusal
            when Refusals.notGranted(refusal).isPresent() ->
                response.setEnded(Refusals.nothingToGiveUp()).build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    ReleaseResponse released(Answer<Outcome> answer) {
        ReleaseResponse.Builder response = ReleaseResponse.newBuilder().setHeader(header(answer));
        return switch (answer.value()) {
            case Outcome.Released it ->
                response.setReleased(ReleaseResponse.Released.newBuilder()
                                .setToken(it.token().value()))
                        .build();
            case Outcome.NotHeld it ->
                response.setNotHeld(Refusals.notHeld(it.holder())).build();
            case Outcome.PermitsReleased it ->
                response.setPermitsReleased(permitsReleased(it)).build();
            case Outcome.FewerPermits it ->
                response.setFewerPermits(
                                ReleaseResponse.FewerPermits.newBuilder().setHeld(it.held()))
                        .build();
            case Outcome.OtherKind it ->
                response.setOtherKind(Refusals.otherKind(it)).build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    private static ReleaseResponse.PermitsReleased permitsReleased(Outcome.PermitsReleased done) {
        ReleaseResponse.PermitsReleased.Builder some = ReleaseResponse.PermitsReleased.newBuilder()
                .setToken(done.token().value());
        done.hold().ifPresent(hold -> some.setHold(Views.hold(hold)));
        return some.build();
    }

    RenewResponse renewed(Answer<Outcome> answer) {
        RenewResponse.Builder response = RenewResponse.newBuilder().setHeader(header(answer));
        return switch (answer.value()) {
            case Outcome.Renewed it ->
                response.setRenewed(Views.hold(it.hold())).build();
            case Outcome.NotHeld it ->
                response.setNotHeld(Refusals.notHeld(it.holder())).build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    OpenSessionResponse opened(Answer<Outcome> answer) {
        return switch (answer.value()) {
            case Outcome.SessionOpened it ->
                OpenSessionResponse.newBuilder()
                        .setHeader(header(answer))
                        .setSession(Views.session(it.session()))
                        .build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    RenewSessionsResponse sessionsRenewed(Answer<Outcome> answer) {
        return switch (answer.value()) {
            case Outcome.SessionsRenewed it ->
                RenewSessionsResponse.newBuilder()
                        .setHeader(header(answer))
                        .addAllGone(it.gone().stream().map(Views::id).toList())
                        .build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    CloseSessionResponse closed(Answer<Outcome> answer) {
        return switch (answer.value()) {
            case Outcome.SessionClosed it ->
                CloseSessionResponse.newBuilder().setHeader(header(answer)).build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    GetSessionResponse session(Answer<Optional<SessionClaims>> answer) {
        SessionClaims claims = answer.value().orElseThrow(() -> Refusals.failure(new Outcome.NoSuchSession()));
        return GetSessionResponse.newBuilder()
                .setHeader(header(answer))
                .setSession(Views.session(claims.session()))
                .addAllHolds(Views.fitting(claims.holds(), Views::hold))
                .addAllWaits(claims.waits().stream().map(LockName::value).toList())
                .build();
    }

    /**
     * A page of sessions.
     *
     * @param answer the sessions, one more than fit on the page if there are more
     */
    ListSessionsResponse sessions(Answer<List<SessionView>> answer, int pageSize) {
        List<SessionView> page = answer.value().stream().limit(pageSize).toList();
        ListSessionsResponse.Builder response = ListSessionsResponse.newBuilder()
                .setHeader(header(answer))
                .addAllSessions(page.stream().map(Views::session).toList());
        if (answer.value().size() > pageSize) {
            response.setNextPage(Views.id(page.get(pageSize - 1).session()));
        }
        return response.build();
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

    AnswerHeader header(Answer<?> answer) {
        return AnswerHeader.newBuilder()
                .setAppliedIndex(answer.appliedIndex())
                .setLeaseTime(answer.leaseTimeNanos())
                .setNodeId(nodeId)
                .build();
    }

    static AcquireResponse.Waiting waiting(Optional<HoldView> holder) {
        AcquireResponse.Waiting.Builder waiting = AcquireResponse.Waiting.newBuilder();
        holder.ifPresent(it -> waiting.setHolder(Views.hold(it)));
        return waiting.build();
    }
}
