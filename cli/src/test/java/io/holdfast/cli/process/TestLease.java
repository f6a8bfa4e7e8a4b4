package io.holdfast.cli.process;

import java.time.Duration;

/** A lease without a store: it lasts for its TTL, less one percent, from its last renewal on. */
final class TestLease implements Supervisor.Lease {
    private final Duration ttl;

    // Written by whoever renews, read by the supervisor.
    private volatile long deadlineNanos;

    TestLease(Duration ttl) {
        this.ttl = ttl;
        renew();
    }

    void renew() {
        deadlineNanos = System.nanoTime() + (long) (ttl.toNanos() * 0.99);
    }

    void renewAsOf(TestLease other) {
        deadlineNanos = other.deadlineNanos;
    }

    @Override
    public Duration ttl() {
        return ttl;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }
}
