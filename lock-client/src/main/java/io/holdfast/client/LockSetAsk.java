package io.holdfast.client;

import io.holdfast.v1.AcquireAllRequest;
import io.holdfast.v1.AcquireAllResponse;
import io.holdfast.v1.GiveUpAllRequest;
import io.holdfast.v1.GiveUpAllResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.ReleaseAllRequest;
import io.holdfast.v1.RequestTag;
import io.holdfast.v1.Want;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks for several locks as one. */
final class LockSetAsk implements Ask<LockSetGrant> {
    private final Router router;
    private final Tags tags;
    private final Leases leases;
    private final AcquireAllRequest first;

    LockSetAsk(Router router, Tags tags, Leases leases, LockSetRequest request, RequestTag tag) {
        this.router = router;
        this.tags = tags;
        this.leases = leases;
        AskTimes times = AskTimes.of(request.owner(), request.ttl(), request.patience());
        AcquireAllRequest.Builder message = AcquireAllRequest.newBuilder()
                .setOwner(Answers.owner(request.owner()))
                .setTag(tag)
                .setTtlMs(times.ttlMillis())
                .setWaitMs(times.waitMillis())
                .setOwnerLabel(Answers.wellFormed("owner_label", request.label()))
                .setBlockMs(times.blockMillis());
        for (LockSetRequest.Want want : request.wants()) {
            message.addWants(Want.newBuilder()
                    .setName(Answers.wellFormed("name", want.name()))
                    .setTerms(Answers.terms(want.terms())));
        }
        this.first = message.build();
    }

    @Override
    public long blockMillis() {
        return first.getBlockMs();
    }

    @Override
    public Reply<LockSetGrant> send(long blockMillis) throws InterruptedException {
        AcquireAllRequest message = first.toBuilder().setBlockMs(blockMillis).build();
        Router.Answered<AcquireAllResponse> answered = router.call(
                LockServiceGrpc.getAcquireAllMethod(),
                message,
                AskTimes.blockNanos(message.getWaitMs(), blockMillis),
                router.timeout());
        AcquireAllResponse response = answered.response();
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
    public Optional<LockSetGrant> giveUp(ClientClock.Reading lastAsk, Duration patience) throws InterruptedException {
        GiveUpAllRequest message = GiveUpAllRequest.newBuilder()
                .setOwner(first.getOwner())
                .addAllNames(names())
                .setTag(first.getTag())
                .build();
        GiveUpAllResponse response = router.call(LockServiceGrpc.getGiveUpAllMethod(), message, 0, patience)
                .response();
        router.learn(response.getHeader());
        return response.hasGranted() ? Optional.of(leases.grant(response.getGranted(), lastAsk)) : Optional.empty();
    }

    @Override
    public void release(LockSetGrant grant, Duration patience) throws InterruptedException {
        var unused = router.call(
                LockServiceGrpc.getReleaseAllMethod(),
                ReleaseAllRequest.newBuilder()
                        .setOwner(first.getOwner())
                        .addAllNames(names())
                        .setTag(tags.fresh())
                        .setToken(grant.token())
                        .build(),
                0,
                patience);
    }

    private List<String> names() {
        return first.getWantsList().stream().map(Want::getName).toList();
    }
}
