package io.holdfast.client;

import java.util.UUID;

/** In whose name a lock is asked for. */
public sealed interface Owner {
    /**
     * The owner of a one-shot lease: each of its locks has a lease of its own.
     *
     * @param id 1 to 256 bytes of UTF-8 without control characters; two processes must not share one
     */
    record OneShot(String id) implements Owner {}

    /**
     * A session: one lease for all that it holds or waits for.
     *
     * @param id 32 hexadecimal digits
     */
    record Session(String id) implements Owner {}

    /**
     * Makes an owner that nobody else has.
     *
     * @return a one-shot owner with a random id
     */
    static Owner random() {
        return new OneShot(UUID.randomUUID().toString());
    }
}
