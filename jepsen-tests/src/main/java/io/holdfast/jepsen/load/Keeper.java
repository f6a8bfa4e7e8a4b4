package io.holdfast.jepsen.load;

import io.holdfast.client.Acquisition;
import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.KeepAlive;
import io.holdfast.client.LeaseListener;
import io.holdfast.client.LockRequest;
import io.holdfast.client.ReleaseResult;
import java.time.Duration;
import java.util.Optional;

/** A client of the library that holds one lock and lets the library keep it alive. */
public final class Keeper implements AutoCloseable, LeaseListener {
    private final HoldfastClient client;
    private final Grant grant;
    private final KeepAlive keepAlive;

    // Written by the thread that renews.
    private volatile Optional<String> loss = Optional.empty();

    private Keeper(HoldfastClient client, Grant grant) {
        this.client = client;
        this.grant = grant;
        this.keepAlive = client.keepAlive(grant, this);
    }

    /** {@return the keeper of a lock that is free} */
    public static Keeper of(HoldfastClient client, String lock, Duration ttl) throws InterruptedException {
        Acquisition acquisition = client.acquire(LockRequest.of(lock).withTtl(ttl));
        if (acquisition instanceof Acquisition.Granted granted) {
            return new Keeper(client, granted.grant());
        }
        throw new IllegalStateException("not granted: " + acquisition);
    }

    /** {@return the fencing token} */
    public long token() {
        return grant.token();
    }

    /** {@return how it lost the lock, if it did} */
    public Optional<String> loss() {
        return loss.or(() -> grant.isHeld() ? Optional.empty() : Optional.of("its deadline passed"));
    }

    @Override
    public void lost(Grant lost, String reason) {
        loss = Optional.of(reason);
    }

    /** Stops renewing. */
    @Override
    public void close() {
        keepAlive.close();
    }

    /** Stops renewing and gives the lock back, which must still be there. */
    public void release() throws InterruptedException {
        keepAlive.close();
        ReleaseResult result = client.release(grant);
        if (!(result instanceof ReleaseResult.Released)) {
            throw new IllegalStateException("was lost: " + result);
        }
    }
}
