package io.holdfast.core;

/**
 * Where a snapshot keeps an {@link Image}.
 *
 * <p>Keys are ordered as a restore wants their records: sessions, locks, waiters, finished requests, ended sessions; within these by id, name, name and sequence, ordinal, ordinal.
 */
public sealed interface ImageKey extends Comparable<ImageKey> {
    /**
     * Of a session.
     *
     * @param session its id
     */
    record OfSession(SessionId session) implements ImageKey {}

    /**
     * Of a lock and its hold.
     *
     * @param name the lock
     */
    record OfLock(LockName name) implements ImageKey {}

    /**
     * Of a waiter.
     *
     * @param name the lock for which it waits
     * @param sequence its place among all that wait, ≥ 1
     */
    record OfWaiter(LockName name, long sequence) implements ImageKey {
        /** Refuses a sequence below 1. */
        public OfWaiter {
            Checks.atLeast(1, sequence, "sequence");
        }
    }

    /**
     * Of a finished request.
     *
     * @param ordinal its place in the order of finishing, ≥ 1
     */
    record OfFinished(long ordinal) implements ImageKey {
        /** Refuses an ordinal below 1. */
        public OfFinished {
            Checks.atLeast(1, ordinal, "ordinal");
        }
    }

    /**
     * Of a session that ended.
     *
     * @param ordinal its place in the order of ending, ≥ 1
     */
    record OfEnded(long ordinal) implements ImageKey {
        /** Refuses an ordinal below 1. */
        public OfEnded {
            Checks.atLeast(1, ordinal, "ordinal");
        }
    }

    @Override
    default int compareTo(ImageKey other) {
        return switch (this) {
            case OfSession one when other instanceof OfSession two -> one.session.compareTo(two.session);
            case OfLock one when other instanceof OfLock two -> one.name.compareTo(two.name);
            case OfWaiter one
            when other instanceof OfWaiter two -> {
                int byName = one.name.compareTo(two.name);
                yield byName != 0 ? byName : Long.compare(one.sequence, two.sequence);
            }
            case OfFinished one when other instanceof OfFinished two -> Long.compare(one.ordinal, two.ordinal);
            case OfEnded one when other instanceof OfEnded two -> Long.compare(one.ordinal, two.ordinal);
            default -> Integer.compare(rank(this), rank(other));
        };
    }

    private static int rank(ImageKey key) {
        return switch (key) {
            case OfSession session -> 1;
            case OfLock lock -> 2;
            case OfWaiter waiter -> 3;
            case OfFinished finished -> 4;
            case OfEnded ended -> 5;
        };
    }
}
