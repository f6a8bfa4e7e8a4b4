package io.holdfast.core;

import java.util.List;

/** A lock in the hands of its holder. */
final class Hold {
    final LockName name;
    final Lease lease;
    final FencingToken token;
    final long logIndex;
    final long grantedAtNanos;

    /** The acquires that this hold answers: one, or several if a session asked anew. */
    List<Request> requests;

    Hold(LockName name, Lease lease, FencingToken token, Position position, long clockNanos, List<Request> requests) {
        this.name = name;
        this.lease = lease;
        this.token = token;
        this.logIndex = position.index();
        this.grantedAtNanos = clockNanos;
        this.requests = requests;
    }

    HoldView view(long clockNanos) {
        return new HoldView(
                name,
                lease.owner(),
                lease.label(),
                token,
                logIndex,
                lease.ttlNanos(),
                Math.max(0, clockNanos - grantedAtNanos),
                lease.remainingNanos(clockNanos));
    }
}
