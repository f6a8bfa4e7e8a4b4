package io.holdfast.core;

/** What a snapshot keeps as a record of its own: a session, a hold, a waiter. A one-shot lease is part of its hold or waiter. */
interface Kept {
    ImageKey key();

    Image image();
}
