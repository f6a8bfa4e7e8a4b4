package io.holdfast.server.grpc;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Where requests wait while a leader is being elected. Bounded in number and in time. */
final class WaitingRoom {
    /** Short beside an election (some hundred ms), and long beside the cost of another look. */
    private static final Duration PAUSE = Duration.ofMillis(25);

    /** Part of a client's patience that is kept for the answer. */
    private static final int ANSWER_SHARE = 5;

    private static final int MAX_WAITING = 10_000;

    private final Duration leaderWait;
    private final ScheduledExecutorService timer;
    private final AtomicInteger waiting = new AtomicInteger();

    WaitingRoom(Duration leaderWait, ScheduledExecutorService timer) {
        this.leaderWait = leaderWait;
        this.timer = timer;
    }

    /**
     * Lets a request wait a little.
     *
     * @param again tries it again
     * @return false if it has waited long enough, or too many wait already
     */
    boolean admit(Call<?, ?> call, Runnable again) {
        Duration left = leaderWait.minus(call.age());
        Duration patience = call.patience(Duration.ofDays(1));
        // Better a clear refusal now than that the client gives up without one.
        boolean hasTime = left.compareTo(PAUSE) > 0
                && patience.compareTo(call.age().dividedBy(ANSWER_SHARE - 1).plus(PAUSE)) > 0;
        if (!hasTime || waiting.incrementAndGet() > MAX_WAITING) {
            if (hasTime) {
                waiting.decrementAndGet();
            }
            return false;
        }
        try {
            var unused = timer.schedule(
                    () -> {
                        waiting.decrementAndGet();
                        again.run();
                    },
                    PAUSE.toNanos(),
                    TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            waiting.decrementAndGet();
            return false; // the node is stopping
        }
    }
}
