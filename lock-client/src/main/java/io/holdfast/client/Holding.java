package io.holdfast.client;

import io.holdfast.v1.CheckTokenRequest;
import io.holdfast.v1.CheckTokenResponse;
import io.holdfast.v1.ConvertRequest;
import io.holdfast.v1.ConvertResponse;
import io.holdfast.v1.HandOffRequest;
import io.holdfast.v1.HandOffResponse;
import io.holdfast.v1.Lock;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.ProclaimRequest;
import io.holdfast.v1.ProclaimResponse;
import io.holdfast.v1.ReleaseAllRequest;
import io.holdfast.v1.ReleaseAllResponse;
import io.holdfast.v1.ReleaseRequest;
import io.holdfast.v1.ReleaseResponse;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.RevokeRequest;
import io.holdfast.v1.RevokeResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What is done with a lock that is held. Thread safe. */
final class Holding {
    private final Router router;
    private final Tags tags;
    private final Leases leases;

    Holding(Router router, Tags tags, Leases leases) {
        this.router = router;
        this.tags = tags;
        this.leases = leases;
    }

    /** Gives back all of it, or with {@code permits} above 0 some of its permits. */
    ReleaseResult release(String name, Owner owner, OptionalLong token, int permits) throws InterruptedException {
        return tags.with(tag -> {
            ReleaseRequest request = ReleaseRequest.newBuilder()
                    .setOwner(Answers.owner(owner))
                    .setName(Answers.wellFormed("name", name))
                    .setTag(tag)
                    .setToken(token.orElse(0))
                    .setPermits(permits)
                    .build();
            ReleaseResponse response =
                    router.call(LockServiceGrpc.getReleaseMethod(), request).response();
            router.learn(response.getHeader());
            return switch (response.getResultCase()) {
                case RELEASED ->
                    new ReleaseResult.Released(response.getReleased().getToken());
                case NOT_HELD -> new ReleaseResult.NotHeld(Answers.holder(response.getNotHeld()));
                case PERMITS_RELEASED ->
                    new ReleaseResult.PermitsReleased(
                            response.getPermitsReleased().getToken(),
                            Answers.holder(
                                    response.getPermitsReleased().hasHold(),
                                    response.getPermitsReleased().getHold()));
                case FEWER_PERMITS ->
                    new ReleaseResult.FewerPermits(response.getFewerPermits().getHeld());
                case OTHER_KIND -> new ReleaseResult.NoSemaphore();
                case RESULT_NOT_SET -> throw Answers.unknownKind();
            };
        });
    }

    ReleaseResult releaseAll(List<String> names, Owner owner, OptionalLong token) throws InterruptedException {
        return tags.with(tag -> {
            ReleaseAllRequest.Builder request = ReleaseAllRequest.newBuilder()
                    .setOwner(Answers.owner(owner))
                    .setTag(tag)
                    .setToken(token.orElse(0));
            names.forEach(name -> request.addNames(Answers.wellFormed("name", name)));
            ReleaseAllResponse response = router.call(LockServiceGrpc.getReleaseAllMethod(), request.build())
                    .response();
            router.learn(response.getHeader());
            return switch (response.getResultCase()) {
                case RELEASED ->
                    new ReleaseResult.Released(response.getReleased().getToken());
                case NOT_HELD -> new ReleaseResult.NotHeld(Answers.holder(response.getNotHeld()));
                case RESULT_NOT_SET -> throw Answers.unknownKind();
            };
        });
    }

    Conversion convert(String name, Owner owner, OptionalLong token, Lock.Mode mode) throws InterruptedException {
        return tags.with(tag -> {
            ConvertRequest request = ConvertRequest.newBuilder()
                    .setOwner(Answers.owner(owner))
                    .setName(Answers.wellFormed("name", name))
                    .setTag(tag)
                    .setToken(token.orElse(0))
                    .setMode(mode)
                    .build();
            Router.Answered<ConvertResponse> answered = router.call(LockServiceGrpc.getConvertMethod(), request);
            ConvertResponse response = answered.response();
            router.learn(response.getHeader());
            return switch (response.getResultCase()) {
                case CONVERTED -> new Conversion.Converted(leases.grant(response.getConverted(), answered.sent()));
                case NOT_HELD -> new Conversion.NotHeld(Answers.holder(response.getNotHeld()));
                case NOT_ALONE -> new Conversion.NotAlone(response.getNotAlone().getHolders());
                case PART_OF_SET -> new Conversion.PartOfSet();
                case OTHER_KIND ->
                    new Conversion.IsSemaphore(response.getOtherKind().getCapacity());
                // A retry: it was converted, and what it became is over.
                case ENDED -> new Conversion.NotHeld(Optional.empty());
                case RESULT_NOT_SET -> throw Answers.unknownKind();
            };
        });
    }

    Proclamation proclaim(String name, Owner owner, OptionalLong token, String value) throws InterruptedException {
        return tags.with(tag -> {
            ProclaimRequest request = ProclaimRequest.newBuilder()
                    .setOwner(Answers.owner(owner))
                    .setName(Answers.wellFormed("name", name))
                    .setTag(tag)
                    .setToken(token.orElse(0))
                    .setValue(Answers.wellFormed("value", value))
                    .build();
            ProclaimResponse response =
                    router.call(LockServiceGrpc.getProclaimMethod(), request).response();
            router.learn(response.getHeader());
            return switch (response.getResultCase()) {
                case PROCLAIMED ->
                    new Proclamation.Proclaimed(response.getProclaimed().getToken());
                case NOT_HELD -> new Proclamation.NotHeld(Answers.holder(response.getNotHeld()));
                case RESULT_NOT_SET -> throw Answers.unknownKind();
            };
        });
    }

    HandOff handOff(String name, Owner owner, OptionalLong token, Owner to, Duration ttl, String label)
            throws InterruptedException {
        return tags.with(tag -> {
            HandOffRequest request = HandOffRequest.newBuilder()
                    .setOwner(Answers.owner(owner))
                    .setName(Answers.wellFormed("name", name))
                    .setTag(tag)
                    .setToken(token.orElse(0))
                    .setTo(Answers.owner(to))
                    .setTtlMs(to instanceof Owner.Session ? 0 : ttl.toMillis())
                    .setToLabel(Answers.wellFormed("to_label", label))
                    .build();
            HandOffResponse response =
                    router.call(LockServiceGrpc.getHandOffMethod(), request).response();
            router.learn(response.getHeader());
            return switch (response.getResultCase()) {
                case HANDED_OFF -> new HandOff.Done(response.getHandedOff().getToken());
                case NOT_HELD -> new HandOff.NotHeld(Answers.holder(response.getNotHeld()));
                case NO_SUCH_TARGET -> new HandOff.NoSuchTarget();
                case TARGET_BUSY -> new HandOff.TargetBusy();
                case RESULT_NOT_SET -> throw Answers.unknownKind();
            };
        });
    }

    Revocation revoke(String name, long token, Duration grace, String reason, String by) throws InterruptedException {
        return tags.with(tag -> {
            RevokeRequest request = RevokeRequest.newBuilder()
                    .setName(Answers.wellFormed("name", name))
                    .setIfToken(token)
                    .setTag(tag)
                    .setGraceMs(grace.toMillis())
                    .setReason(Answers.wellFormed("reason", reason))
                    .setBy(Answers.wellFormed("by", by))
                    .build();
            RevokeResponse response =
                    router.call(LockServiceGrpc.getRevokeMethod(), request).response();
            router.learn(response.getHeader());
            return switch (response.getResultCase()) {
                case REVOKING -> new Revocation.Revoking(Answers.holder(response.getRevoking()));
                case REVOKED -> new Revocation.Revoked(response.getRevoked().getToken());
                case NOT_HELD -> new Revocation.NotHeld(Answers.holder(response.getNotHeld()));
                case RESULT_NOT_SET -> throw Answers.unknownKind();
            };
        });
    }

    TokenCheck check(String name, long token) throws InterruptedException {
        CheckTokenRequest request = CheckTokenRequest.newBuilder()
                .setName(Answers.wellFormed("name", name))
                .setToken(token)
                .build();
        CheckTokenResponse response =
                router.call(LockServiceGrpc.getCheckTokenMethod(), request).response();
        router.learn(response.getHeader());
        return switch (response.getResultCase()) {
            case CURRENT -> new TokenCheck.Current(Answers.holder(response.getCurrent()));
            case STALE -> new TokenCheck.Stale(response.getStale().getNewestToken());
            case FREE -> new TokenCheck.Free();
            case RESULT_NOT_SET -> throw Answers.unknownKind();
        };
    }

    Renewal renew(String name, String ownerId, OptionalLong token, Optional<Duration> ttl) throws InterruptedException {
        Router.Answered<RenewResponse> answered = router.call(
                LockServiceGrpc.getRenewMethod(), Answers.renewal(name, ownerId, token, ttl.map(Duration::toMillis)));
        RenewResponse response = answered.response();
        router.learn(response.getHeader());
        return response.hasRenewed()
                ? new Renewal.Renewed(leases.grant(response.getRenewed(), answered.sent()))
                : new Renewal.NotHeld(Answers.holder(response.getNotHeld()));
    }

    /** One renewal within a bound, for the watchdog. True if renewed, false if the hold is gone. */
    boolean renewOnce(Grant grant, Duration patience) throws InterruptedException {
        if (!(grant.owner() instanceof Owner.OneShot owner)) {
            throw new IllegalArgumentException("the lease of a session is renewed by its session");
        }
        Router.Answered<RenewResponse> answered = router.call(
                LockServiceGrpc.getRenewMethod(),
                Answers.renewal(grant.name(), owner.id(), OptionalLong.of(grant.token()), Optional.empty()),
                0,
                patience);
        RenewResponse response = answered.response();
        router.learn(response.getHeader());
        if (!response.hasRenewed()) {
            return false;
        }
        grant.renewed(answered.sent(), Duration.ofMillis(response.getRenewed().getTtlMs()));
        return true;
    }
}
