package io.holdfast.jepsen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** How many of some intervals there are at each moment. Thread safe. */
final class Occupancy {
    private record Step(long atNanos, int by) {}

    // Guarded by itself.
    private final List<Step> steps = new ArrayList<>();

    /** Adds an interval; one that is empty counts for nothing. */
    void add(long fromNanos, long toNanos) {
        if (toNanos - fromNanos > 0) {
            synchronized (steps) {
                steps.add(new Step(fromNanos, 1));
                steps.add(new Step(toNanos, -1));
            }
        }
    }

    /** {@return the greatest number at a time; intervals that only touch do not overlap} */
    int most() {
        int most = 0;
        int now = 0;
        for (Step step : inOrder()) {
            now += step.by;
            most = Math.max(most, now);
        }
        return most;
    }

    /**
     * The longest time for which there are fewer than some number.
     *
     * @param fromNanos the first moment that counts
     * @param toNanos the last moment that counts
     */
    long longestBelow(int number, long fromNanos, long toNanos) {
        long longest = 0;
        long since = fromNanos;
        int now = 0;
        for (Step step : inOrder()) {
            boolean wasBelow = now < number;
            now += step.by;
            if (wasBelow && now >= number) {
                longest = Math.max(longest, Math.min(step.atNanos, toNanos) - since);
            } else if (!wasBelow && now < number) {
                since = Math.max(step.atNanos, fromNanos);
            }
        }
        return Math.max(longest, now < number ? toNanos - since : 0);
    }

    private List<Step> inOrder() {
        synchronized (steps) {
            List<Step> sorted = new ArrayList<>(steps);
            sorted.sort(Comparator.comparingLong(Step::atNanos).thenComparingInt(Step::by));
            return sorted;
        }
    }
}
