package io.holdfast.statemachine.codec;

import java.io.Serial;

/** A log entry is sound, but in a format that is newer than this node. The message names both versions. */
public final class UnsupportedFormatException extends UnreadableEntryException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnsupportedFormatException(int format, int newestKnown) {
        super("written in log format " + Integer.toUnsignedString(format) + ", and this node knows formats up to "
                + newestKnown + ": start a newer version of Holdfast on it");
    }
}
