package io.holdfast.client;

import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.AcquireResponse;
import io.holdfast.v1.GiveUpRequest;
import io.holdfast.v1.GiveUpResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.RequestTag;
import java.time.Duration;
import java.util.Optional;

/** Asks for one lock. */
final class LockAsk implements Ask<Grant> {
    private final Router router;
    private final Tags tags;
    private final Leases leases;
    private final AcquireRequest first;

    LockAsk(Router router, Tags tags, Leases leases, LockRequest request, RequestTag tag) {
        this.router = router;
        this.tags = tags;
        this.leases = leases;
        AskTimes times = AskTimes.of(request.owner(), request.ttl(), request.patience());
        this.first = AcquireRequest.newBuilder()
                .setOwner(Answers.owner(request.owner()))
                .setName(Answers.wellFormed("name", request.name()))
                .setTag(tag)
                .setTtlMs(times.ttlMillis())
                .setWaitMs(times.waitMillis())
                .setOwnerLabel(Answers.wellFormed("owner_label", request.label()))
                .setBlockMs(times.blockMillis())
                .setTerms(Answers.terms(request.terms()))
                .setAllowDeadlock(request.allowsDeadlock())
                .build();
    }

    @Override
    public long blockMillis() {
        return first.getBlockMs();
    }

    @Override
    public Reply<Grant> send(long blockMillis) throws InterruptedException {
        AcquireRequest message = first.toBuilder().setBlockMs(blockMillis).build();
        Router.Answered<AcquireResponse> answered = router.call(
                LockServiceGrpc.getAcquireMethod(),
                message,
                AskTimes.blockNanos(message.getWaitMs(), blockMillis),
                router.timeout());
        AcquireResponse response = answered.response();
        router.learn(response.getHeader());
        return switch (response.getResultCase()) {
            case GRANTED -> new Reply.Granted<>(leases.grant(response.getGranted(), answered.sent()));
            case NOT_GRANTED -> new Reply.Refused<>(Answers.notGranted(response.getNotGranted()));
            case ENDED -> new Reply.Refused<>(Answers.over(response.getEnded()));
            case WAITING -> new Reply.Waiting<>(Answers.holder(response.getWaiting()), answered.sent());
            case RESULT_NOT_SET -> throw Answers.unknownKind();
        };
    }

    @Override
    public Optional<Grant> giveUp(ClientClock.Reading lastAsk, Duration patience) throws InterruptedException {
        GiveUpRequest message = GiveUpRequest.newBuilder()
                .setOwner(first.getOwner())
                .setName(first.getName())
                .setTag(first.getTag())
                .build();
        GiveUpResponse response = router.call(LockServiceGrpc.getGiveUpMethod(), message, 0, patience)
                .response();
        router.learn(response.getHeader());
        return response.hasGranted() ? Optional.of(leases.grant(response.getGranted(), lastAsk)) : Optional.empty();
    }

    @Override
    public void release(Grant grant, Duration patience) throws InterruptedException {
        var unused = router.call(
                LockServiceGrpc.getReleaseMethod(),
                ReleaseRequest.newBuilder()
                        .setOwner(first.getOwner())
                        .setName(first.getName())
                        .setTag(tags.fresh())
                        .setToken(grant.token())
                        .build(),
                0,
                patience);
    }
}
