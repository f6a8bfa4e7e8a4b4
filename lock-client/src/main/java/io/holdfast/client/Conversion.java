package io.holdfast.client;

import java.util.Optional;

/** How it ended to convert a hold from exclusive to shared or back. */
public sealed interface Conversion {
    /**
     * The hold goes on in the new mode, with no gap in between. It is a new grant: the old token is dead, and so is the old {@link Grant}.
     *
     * @param grant the hold, with its new token and a renewed lease
     */
    record Converted(Grant grant) implements Conversion {}

    /**
     * The owner does not hold the lock (under that token). Nothing changed.
     *
     * @param holder who holds it now, if anybody does
     */
    record NotHeld(Optional<Holder> holder) implements Conversion {}

    /**
     * Others share the lock, so it cannot become exclusive. Nothing changed; the shared hold goes on. It does not wait for them: two who share, each waiting to be alone, would wait for ever.
     *
     * @param holders how many hold it now
     */
    record NotAlone(int holders) implements Conversion {}

    /** The lock is held as part of a set, and stays as it is until it is released. Nothing changed. */
    record PartOfSet() implements Conversion {}

    /**
     * A semaphore has no such modes. Nothing changed.
     *
     * @param capacity how many permits it has
     */
    record IsSemaphore(int capacity) implements Conversion {}
}
