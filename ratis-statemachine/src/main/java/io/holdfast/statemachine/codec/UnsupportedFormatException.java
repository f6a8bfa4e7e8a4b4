package io.holdfast.statemachine.codec;

import io.holdfast.core.LockTable;
import java.io.Serial;

/** A log entry is sound, but of a version of Holdfast that is newer than this node. The message names what it needs and what this node knows. */
public final class UnsupportedFormatException extends UnreadableEntryException {
    @Serial
    private static final long serialVersionUID = 1L;

    private UnsupportedFormatException(String what) {
        super(what + ": start a newer version of Holdfast on it");
    }

    static UnsupportedFormatException ofFormat(int format) {
        return new UnsupportedFormatException("written in log format " + Integer.toUnsignedString(format)
                + ", and this node knows formats up to " + Formats.NEWEST);
    }

    static UnsupportedFormatException ofLevel(int level) {
        return new UnsupportedFormatException("the cluster was raised to feature level " + level
                + ", and this node knows levels up to " + LockTable.NEWEST_FEATURE_LEVEL);
    }
}
