package io.holdfast.jepsen.wire;

import io.holdfast.v1.AcquireRequest;
import io.holdfast.v1.Hold;

/**
 * A lock that was acquired by hand.
 *
 * @param request what was asked, and can be sent again
 * @param hold what was answered
 * @param sentNanos when the last ask was sent, by {@link System#nanoTime()}
 * @param answeredNanos when it was answered
 */
public record Grant(AcquireRequest request, Hold hold, long sentNanos, long answeredNanos) {
    /** {@return the fencing token} */
    public long token() {
        return hold.getToken();
    }

    /** {@return what is left of the lease by this machine's clock when the answer arrived, in ns} */
    public long leftNanos() {
        return sentNanos + request.getTtlMs() * 1_000_000 - answeredNanos;
    }
}
