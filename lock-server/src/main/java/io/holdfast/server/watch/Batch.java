package io.holdfast.server.watch;

/** A message for all watchers that see the same and stand at the same place. */
final class Batch {
    private final byte[] message;
    private final long next;

    /**
     * Creates one.
     *
     * @param message its bytes, not to be changed any more; empty if none of the events up to {@code next} is for them
     * @param next sequence of the first event after those in it
     */
    Batch(byte[] message, long next) {
        this.message = message;
        this.next = next;
    }

    boolean isEmpty() {
        return message.length == 0;
    }

    byte[] message() {
        return message;
    }

    long next() {
        return next;
    }
}
