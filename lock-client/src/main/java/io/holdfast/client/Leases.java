package io.holdfast.client;

import io.holdfast.v1.GrantedAll;
import io.holdfast.v1.Hold;
import java.time.Duration;
import java.util.List;

/** Makes grants of what the store shows: each counts its deadline from the sending that was answered. */
final class Leases {
    private final double drift;
    private final ClientClock clock;

    Leases(double drift, ClientClock clock) {
        this.drift = drift;
        this.clock = clock;
    }

    Grant grant(Hold hold, ClientClock.Reading sent) {
        return new Grant(Answers.holder(hold), lease(hold, sent));
    }

    /** Several locks: they live and die together. */
    LockSetGrant grant(GrantedAll all, ClientClock.Reading sent) {
        Lease lease = lease(all.getHolds(0), sent);
        List<Grant> grants = all.getHoldsList().stream()
                .map(hold -> new Grant(Answers.holder(hold), lease))
                .toList();
        return new LockSetGrant(all.getToken(), grants);
    }

    private Lease lease(Hold hold, ClientClock.Reading sent) {
        return new Lease(drift, clock, sent, Duration.ofMillis(hold.getTtlMs()));
    }
}
