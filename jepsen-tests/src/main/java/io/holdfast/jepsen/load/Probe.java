package io.holdfast.jepsen.load;

import io.holdfast.jepsen.history.Answer;
import java.time.Duration;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.awaitility.Awaitility;

/** A client that acquires and releases a lock of its own, again and again, so that one sees when there is service. */
public final class Probe implements AutoCloseable {
    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(5);

    private final Caller caller;
    private final String lock;
    private final Thread thread;

    // Set by whoever closes.
    private volatile boolean goesOn = true;

    /** When each acquire was invoked, and when it was granted. */
    private final ConcurrentNavigableMap<Long, Long> served = new ConcurrentSkipListMap<>();

    /** Begins to probe. */
    public Probe(String lock, Caller caller) {
        this.lock = lock;
        this.caller = caller;
        thread = Thread.ofVirtual().name("probe of " + lock).start(this::probe);
    }

    /**
     * Waits for an acquire that was invoked after a moment and granted.
     *
     * @param nanoTime the moment, by {@link System#nanoTime()}
     * @param patience how long to wait
     * @return when it was granted
     */
    public long serviceAfter(long nanoTime, Duration patience) {
        Awaitility.await("service")
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .atMost(patience)
                .until(() -> served.higherKey(nanoTime) != null);
        return served.higherEntry(nanoTime).getValue();
    }

    /** {@return the longest time so far from one grant to the next} */
    public Duration longestPause() {
        long longest = 0;
        long last = 0;
        for (long granted : served.values()) {
            longest = Math.max(longest, last == 0 ? 0 : granted - last);
            last = granted;
        }
        return Duration.ofNanos(longest);
    }

    private void probe() {
        while (goesOn) {
            long invoked = System.nanoTime();
            if (caller.acquire(lock, TTL, TTL).answer() == Answer.YES) {
                served.put(invoked, System.nanoTime());
                caller.release();
            }
        }
    }

    /** Ends after the present call. */
    @Override
    public void close() {
        goesOn = false;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
