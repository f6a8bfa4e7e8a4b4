package io.holdfast.server.watch;

import io.holdfast.core.Event;
import java.nio.charset.StandardCharsets;

/** Writes events as text, and counts how often it does. */
final class TextEncoder implements Encoder {
    int eventsWritten;

    @Override
    public byte[] event(Told told) {
        eventsWritten++;
        return (" " + told.place().logIndex() + "." + told.place().number() + ":"
                        + told.event().lock().map(Object::toString).orElse("session")
                        + (told.event() instanceof Event.HoldEnded ? "-" : "+"))
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] head(long completeTo) {
        return ("[" + completeTo + "]").getBytes(StandardCharsets.UTF_8);
    }
}
