package io.holdfast.core;

/**
 * Where a snapshot keeps an {@link Image}.
 *
 * <p>Keys are ordered as a restore wants their records: sessions, holds, pauses and waiters, finished requests, ended sessions, events; within these by id, name and token, name and sequence, ordinal.
 */
public sealed interface ImageKey extends Comparable<ImageKey> {
    /**
     * Of a session.
     *
     * @param session its id
     */
    record OfSession(SessionId session) implements ImageKey {}

    /**
     * Of a lock and the one hold of it that excludes all others.
     *
     * @param name the lock
     */
    record OfLock(LockName name) implements ImageKey {}

    /**
     * Of one hold of a lock that may have several.
     *
     * @param name the lock
     * @param token the fencing token of the hold
     */
    record OfHold(LockName name, FencingToken token) implements ImageKey {}

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
     * Of the pause of a lock.
     *
     * @param name the lock
     */
    record OfDelay(LockName name) implements ImageKey {}

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

    /**
     * Of an event.
     *
     * @param ordinal its place among all events, ≥ 1
     */
    record OfEvent(long ordinal) implements ImageKey {
        /** Refuses an ordinal below 1. */
        public OfEvent {
            Checks.atLeast(1, ordinal, "ordinal");
        }
    }

    @Override
    default int compareTo(ImageKey other) {
        return switch (this) {
            case OfSession one when other instanceof OfSession two -> one.session.compareTo(two.session);
            case OfLock one when other instanceof OfLock two -> one.name.compareTo(two.name);
            case OfLock one when other instanceof OfHold two -> compare(one.name, 0, two.name, two.token.value());
            case OfHold one when other instanceof OfLock two -> compare(one.name, one.token.value(), two.name, 0);
            case OfHold one
            when other instanceof OfHold two -> compare(one.name, one.token.value(), two.name, two.token.value());
            case OfWaiter one
            when other instanceof OfWaiter two -> compare(one.name, one.sequence, two.name, two.sequence);
            case OfDelay one when other instanceof OfDelay two -> one.name.compareTo(two.name);
            case OfDelay one when other instanceof OfWaiter two -> compare(one.name, 0, two.name, two.sequence);
            case OfWaiter one when other instanceof OfDelay two -> compare(one.name, one.sequence, two.name, 0);
            case OfFinished one when other instanceof OfFinished two -> Long.compare(one.ordinal, two.ordinal);
            case OfEnded one when other instanceof OfEnded two -> Long.compare(one.ordinal, two.ordinal);
            case OfEvent one when other instanceof OfEvent two -> Long.compare(one.ordinal, two.ordinal);
            default -> Integer.compare(rank(this), rank(other));
        };
    }

    private static int compare(LockName one, long oneNumber, LockName two, long twoNumber) {
        int byName = one.compareTo(two);
        return byName != 0 ? byName : Long.compare(oneNumber, twoNumber);
    }

    private static int rank(ImageKey key) {
        return switch (key) {
            case OfSession session -> 1;
            case OfLock lock -> 2;
            case OfHold hold -> 2;
            case OfDelay delay -> 3;
            case OfWaiter waiter -> 3;
            case OfFinished finished -> 4;
            case OfEnded ended -> 5;
            case OfEvent event -> 6;
        };
    }
}
