package io.holdfast.server.watch;

import org.jspecify.annotations.Nullable;

/** An event in the ring. Its bytes are made when the first watcher needs them, by the hub's thread, which alone reads them. */
final class Frame {
    final long sequence;
    final Told told;
    private byte @Nullable [] bytes;

    /**
     * Creates it.
     *
     * @param sequence counts the events that the ring took, without gaps
     * @param told the event
     */
    Frame(long sequence, Told told) {
        this.sequence = sequence;
        this.told = told;
    }

    byte[] bytes(Encoder encoder) {
        byte[] made = bytes;
        if (made == null) {
            made = encoder.event(told);
            bytes = made;
        }
        return made;
    }
}
