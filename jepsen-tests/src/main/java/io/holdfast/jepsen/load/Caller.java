package io.holdfast.jepsen.load;

import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.history.Lease;
import java.time.Duration;
import java.util.Optional;

/** The part of a lock client that a load needs. Each call retries, within reason, what may be retried. Used by one thread. */
public interface Caller {
    /**
     * How a call ended.
     *
     * @param answer what is known
     * @param lease with a yes to an acquire or a renewal; its times are readings of {@link System#nanoTime()}
     * @param note the error or refusal
     */
    record Result(Answer answer, Optional<Lease> lease, String note) {
        /** {@return a yes with a lease} */
        static Result granted(Lease lease) {
            return new Result(Answer.YES, Optional.of(lease), "");
        }

        /** {@return an end without a lease} */
        static Result ended(Answer answer, String note) {
            return new Result(answer, Optional.empty(), note);
        }
    }

    /** Asks for a lock. */
    Result acquire(String lock, Duration ttl, Duration wait);

    /** Renews what the last acquire was granted. */
    Result renew();

    /** Releases what the last acquire was granted. */
    Result release();
}
