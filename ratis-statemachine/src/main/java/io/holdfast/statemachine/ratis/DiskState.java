package io.holdfast.statemachine.ratis;

import java.time.Duration;

/**
 * How the disk of the data folder does.
 *
 * @param usableBytes space left for this process
 * @param reserveBytes what should be left at least
 * @param stalled how long the log has been waiting for the disk without getting any further; zero if it has not
 */
public record DiskState(long usableBytes, long reserveBytes, Duration stalled) {
    /** What should be left at least: two files of the log. */
    public static final long DEFAULT_RESERVE_BYTES = 64L << 20;

    /** A disk that lets the log wait for so long is said to be stalled. */
    public static final Duration STALL = Duration.ofSeconds(5);

    /** {@return whether the reserve is being used up: the node stops when it is gone} */
    public boolean isLow() {
        return usableBytes < reserveBytes;
    }

    /** {@return whether the disk answers no more} */
    public boolean isStalled() {
        return stalled.compareTo(STALL) >= 0;
    }

    /** {@return whether this node should not lead} */
    public boolean isBad() {
        return isLow() || isStalled();
    }
}
