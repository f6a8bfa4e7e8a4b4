package io.holdfast.jepsen.load;

import io.holdfast.client.Acquisition;
import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockRequest;
import io.holdfast.client.Owner;
import io.holdfast.client.ReleaseResult;
import io.holdfast.client.Renewal;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.history.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Calls through the client library, with the settings that an application gets. */
public final class ClientCaller implements Caller {
    /** What the library is told that clocks may drift. */
    private static final double DRIFT = 0.01;

    private final HoldfastClient client;
    private Optional<Grant> acquired = Optional.empty();

    /** Uses that client, and does not close it. */
    public ClientCaller(HoldfastClient client) {
        this.client = client;
    }

    private interface Call {
        Result run() throws InterruptedException;
    }

    @Override
    public Result acquire(String lock, Duration ttl, Duration wait) {
        LockRequest request = LockRequest.of(lock).withTtl(ttl).withPatience(wait);
        return ended(() -> switch (client.acquire(request)) {
            case Acquisition.Granted granted -> {
                acquired = Optional.of(granted.grant());
                yield Result.granted(lease(granted.grant()));
            }
            case Acquisition.NotGranted refused ->
                Result.ended(Answer.NO, refused.reason().name());
        });
    }

    @Override
    public Result renew() {
        Grant grant = acquired.orElseThrow();
        String owner = ((Owner.OneShot) grant.owner()).id();
        return ended(
                () -> switch (client.renew(grant.name(), owner, OptionalLong.of(grant.token()), Optional.empty())) {
                    case Renewal.Renewed renewed -> Result.granted(lease(renewed.grant()));
                    case Renewal.NotHeld gone -> Result.ended(Answer.NO, gone.toString());
                });
    }

    @Override
    public Result release() {
        Grant grant = acquired.orElseThrow();
        return ended(() -> switch (client.release(grant)) {
            case ReleaseResult.Released released -> Result.ended(Answer.YES, "");
            case ReleaseResult no -> Result.ended(Answer.NO, no.toString());
        });
    }

    private static Result ended(Call call) {
        try {
            return call.run();
        } catch (HoldfastException e) {
            return Result.ended(e.mayHaveTakenEffect() ? Answer.UNKNOWN : Answer.FAILED, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Result.ended(Answer.UNKNOWN, "interrupted");
        }
    }

    /** The library shows its deadline only; when the answered request was sent follows from it. */
    private static Lease lease(Grant grant) {
        long ttl = grant.ttl().toNanos();
        long sent = grant.deadlineNanos() - (long) (ttl * (1 - DRIFT));
        return new Lease(grant.token(), ttl, sent, grant.deadlineNanos());
    }
}
