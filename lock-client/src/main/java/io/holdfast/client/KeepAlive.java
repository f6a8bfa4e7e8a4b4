package io.holdfast.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watchdog of one lease: renews at a third of the TTL, tries again within what is left, and stops believing at the grant's own deadline, whatever the network does.
 *
 * <p>Its one thread ends with {@link #close} or with the lease. Once closed it sends no renewal.
 */
public final class KeepAlive implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeepAlive.class);

    private final Grant grant;
    private final LeaseListener listener;
    private final Renewing renewing;
    private final ClientClock clock;
    private final Thread thread;
    private volatile boolean closed;

    /** Sends one renewal and waits for its answer: a port. */
    interface Renewing {
        /**
         * Renews the grant in place.
         *
         * @param patience how long to try at most
         * @return true if renewed, false if the hold is gone
         */
        boolean renew(Grant grant, Duration patience) throws InterruptedException;
    }

    KeepAlive(Grant grant, LeaseListener listener, Renewing renewing, ClientClock clock) {
        this.grant = grant;
        this.listener = listener;
        this.renewing = renewing;
        this.clock = clock;
        this.thread = new Thread(this::run, "holdfast-keep-alive " + grant.name());
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Stops renewing. The lock stays held until it is released or its lease runs out. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    /** Renews until closed or lost. The thread's body; tests call it with a clock of their own. */
    void run() {
        try {
            while (!closed) {
                clock.sleep(Math.max(0, nextRenewalNanos() - clock.nanoTime()));
                if (closed || !renewUntilDeadline()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            // Closed, or the process is ending: either way nobody renews any more.
            if (!closed) {
                LOG.warn("Renewing of {} was interrupted", grant.name());
            }
        }
    }

    /** A third of the TTL after the last sending that was answered, less some jitter so that many clients do not march in step. */
    private long nextRenewalNanos() {
        long third = grant.ttl().toNanos() / 3;
        return grant.sentNanos() + third - ThreadLocalRandom.current().nextLong(third / 10 + 1);
    }

    private boolean renewUntilDeadline() throws InterruptedException {
        boolean warned = false;
        while (!closed) {
            Duration left = grant.remaining();
            if (left.isZero()) {
                tellLost("the lease could not be renewed before its deadline");
                return false;
            }
            try {
                // Short tries: between them the listener learns that the lease is at risk.
                if (renewing.renew(grant, shorter(left, grant.ttl().dividedBy(6)))) {
                    tell(() -> listener.renewed(grant));
                    return true;
                }
                tellLost("the store says that it is not held any more");
                return false;
            } catch (HoldfastException.InvalidArgument e) {
                tellLost("the store refused to renew it: " + e.getMessage());
                return false;
            } catch (HoldfastException e) {
                if (!warned) {
                    LOG.warn("Cannot renew {}: {}", grant.name(), e.getMessage());
                    Duration remaining = grant.remaining();
                    tell(() -> listener.atRisk(grant, remaining));
                }
                warned = true;
                clock.sleep(Math.min(grant.remaining().toNanos(), 5_000_000));
            }
        }
        return false;
    }

    private void tellLost(String reason) {
        if (!closed) {
            tell(() -> listener.lost(grant, reason));
        }
    }

    private void tell(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            // A listener's bug must not cost the lease.
            LOG.error("A lease listener of {} threw", grant.name(), e);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
