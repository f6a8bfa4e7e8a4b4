package io.holdfast.core;

/** How a lock is held: alone, or together with others, or as some of the permits of a semaphore. */
public sealed interface Mode {
    /** Alone. What an acquire asks for unless it says otherwise. */
    Mode EXCLUSIVE = new Exclusive();

    /** Together with any number of others who share it too. */
    Mode SHARED = new Shared();

    /** Alone; see {@link #EXCLUSIVE}. */
    record Exclusive() implements Mode {
        @Override
        public int capacity() {
            return 0;
        }
    }

    /** With others who share it too; see {@link #SHARED}. */
    record Shared() implements Mode {
        @Override
        public int capacity() {
            return 0;
        }
    }

    /**
     * As some of the permits of a semaphore. Who asks says how many there are in all, and is refused if the others have it otherwise.
     *
     * @param permits how many of them, 1 to {@code capacity}
     * @param capacity how many there are in all, 1 to {@link Bounds#MAX_CAPACITY}
     */
    record Permits(int permits, int capacity) implements Mode {
        /** Refuses what {@link Bounds#permits} refuses; doors ask there first. */
        public Permits {
            Bounds.permits(permits, capacity).ifPresent(violation -> {
                throw new IllegalArgumentException(violation.message());
            });
        }
    }

    /** {@return how many permits there are in all; 0 of a lock, which is no semaphore} */
    int capacity();
}
