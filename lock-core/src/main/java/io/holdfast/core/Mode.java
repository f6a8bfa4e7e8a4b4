package io.holdfast.core;

/** How a lock is held: alone, or together with others. */
public sealed interface Mode {
    /** Alone. What an acquire asks for unless it says otherwise. */
    Mode EXCLUSIVE = new Exclusive();

    /** Together with any number of others who share it too. */
    Mode SHARED = new Shared();

    /** Alone; see {@link #EXCLUSIVE}. */
    record Exclusive() implements Mode {}

    /** With others who share it too; see {@link #SHARED}. */
    record Shared() implements Mode {}
}
