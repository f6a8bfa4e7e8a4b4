package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A claim on a name: held if it has a token, otherwise waiting. Waiting claims stand in queue order. */
final class Claim {
    final LockName name;
    final Promise promise;
    final List<Request> requests = new ArrayList<>();
    final long born;
    final long queuedIndex;
    final long queuedAt;
    long waitDeadline;
    long token;
    long grantIndex;
    long grantedAt;
    Terms terms;

    /** That it is revoked, if it is. */
    @Nullable
    Warning warning;

    /** That to which it belongs, if it was not asked for alone. */
    @Nullable
    Bundle bundle;

    Claim(LockName name, Promise promise, long born, long index, long clock, long waitDeadline, Terms terms) {
        this.name = name;
        this.promise = promise;
        this.born = born;
        this.queuedIndex = index;
        this.queuedAt = clock;
        this.waitDeadline = waitDeadline;
        this.terms = terms;
    }

    boolean isHeld() {
        return token != 0;
    }

    /** Passed on to one who has not asked. */
    boolean isUnclaimed() {
        return isHeld() && bundle == null && requests.isEmpty();
    }

    int permits() {
        return terms.mode() instanceof Mode.Permits some ? some.permits() : 0;
    }

    Owner owner() {
        return promise.owner;
    }

    String label() {
        return promise.label;
    }

    boolean answers(Request request) {
        return requests.stream().anyMatch(request::isSameAs);
    }
}
