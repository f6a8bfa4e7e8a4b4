package io.holdfast.client;

/** How a lock is held: alone, or together with others, or as some of the permits of a semaphore. */
public sealed interface Mode {
    /** Alone. What a request asks for unless it says otherwise. */
    Mode EXCLUSIVE = new Exclusive();

    /** Together with any number of others who share it too. */
    Mode SHARED = new Shared();

    /** Alone; see {@link #EXCLUSIVE}. */
    record Exclusive() implements Mode {}

    /** With others who share it too; see {@link #SHARED}. */
    record Shared() implements Mode {}

    /**
     * As some of the permits of a semaphore. Everybody who asks says how many there are in all, and is refused if those who hold or wait have said otherwise.
     *
     * @param permits how many of them, 1 to {@code capacity}
     * @param capacity how many there are in all, 1 to 1,000,000
     */
    record Permits(int permits, int capacity) implements Mode {}
}
