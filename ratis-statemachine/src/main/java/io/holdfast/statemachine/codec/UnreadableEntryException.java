package io.holdfast.statemachine.codec;

import java.io.Serial;

/**
 * A log entry that this node cannot apply. It must stop then: a replica that skips an entry is no replica.
 */
public abstract sealed class UnreadableEntryException extends RuntimeException
        permits CorruptEntryException, UnsupportedFormatException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnreadableEntryException(String message) {
        super(message);
    }

    UnreadableEntryException(String message, Throwable cause) {
        super(message, cause);
    }
}
