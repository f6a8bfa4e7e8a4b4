package io.holdfast.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The times of an ask, in ms, as the API wants them.
 *
 * @param ttlMillis 0 for a session, which has its own
 * @param waitMillis 0 only tries, −1 without end
 * @param blockMillis how long one sending may block
 */
record AskTimes(long ttlMillis, long waitMillis, long blockMillis) {
    /** An ask is answered by then at the latest, so that a node that froze meanwhile is noticed. */
    private static final long LONGEST_BLOCK_MILLIS = 3_000;

    static AskTimes of(Owner owner, Duration ttl, Duration patience) {
        long ttlMillis = owner instanceof Owner.Session ? 0 : millis(ttl);
        long wait = patience.compareTo(LockRequest.FOREVER) >= 0 ? -1 : millis(patience);
        long thirdOfTtl = ttlMillis > 0 ? Math.max(1, ttlMillis / 3) : LONGEST_BLOCK_MILLIS;
        long block = Math.min(LONGEST_BLOCK_MILLIS, thirdOfTtl);
        return new AskTimes(ttlMillis, wait, wait > 0 ? Math.min(block, wait) : block);
    }

    /** How long a node may take with its answer on purpose. */
    static long blockNanos(long waitMillis, long blockMillis) {
        return waitMillis == 0 ? 0 : TimeUnit.MILLISECONDS.toNanos(blockMillis);
    }

    /** Whole milliseconds, rounded up: a wait of less than one is still a wait. */
    private static long millis(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }
}
