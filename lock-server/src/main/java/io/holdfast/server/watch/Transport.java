package io.holdfast.server.watch;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What of the messages still waits in the transport, and so how large the next may be. Owned by the hub's thread.
 *
 * <p>Large messages are quicker, and take memory. When they have taken what they may, others wait for some to be gone; if none goes for a moment, because all are stuck at slow watchers, small ones are sent: whoever is quick goes on, whatever the slow ones hold.
 */
final class Transport {
    static final int LARGE_BYTES = 32 << 10;
    static final int SMALL_BYTES = 4 << 10;

    /** Far below what a small node has. */
    private static final long BUDGET_BYTES = 64L << 20;

    private static final long MOMENT_NANOS = Duration.ofMillis(100).toNanos();

    private final LongSupplier nanoTime;
    private final Set<Watcher> putOff = new LinkedHashSet<>();
    private long waitingBytes;
    private long movedAtNanos;

    Transport(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.movedAtNanos = nanoTime.getAsLong();
    }

    /** {@return most bytes of the next message of several events; 0 if it is to wait} */
    int room() {
        if (waitingBytes + LARGE_BYTES <= BUDGET_BYTES) {
            return LARGE_BYTES;
        }
        return nanoTime.getAsLong() - movedAtNanos < MOMENT_NANOS ? 0 : SMALL_BYTES;
    }

    /** A message waits that was just sent. */
    void waits(Watcher watcher, int bytes) {
        watcher.waitingBytes = bytes;
        waitingBytes += bytes;
    }

    /** What a watcher was sent is gone. */
    void drained(Watcher watcher) {
        if (watcher.waitingBytes > 0) {
            waitingBytes -= watcher.waitingBytes;
            watcher.waitingBytes = 0;
            movedAtNanos = nanoTime.getAsLong();
        }
    }

    /** A watcher is to be sent something when there is room. */
    void putOff(Watcher watcher) {
        putOff.add(watcher);
    }

    /** {@return the next of those that were put off, if there is room; who was put off first comes first} */
    @Nullable
    Watcher next() {
        if (putOff.isEmpty() || room() == 0) {
            return null;
        }
        Watcher next = putOff.iterator().next();
        putOff.remove(next);
        return next;
    }

    void forget(Watcher watcher) {
        drained(watcher);
        putOff.remove(watcher);
    }
}
