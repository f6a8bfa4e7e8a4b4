package io.holdfast.statemachine.codec;

import java.io.Serial;

/** The bytes of a log entry are damaged, or say what no leader may say. The message tells what is wrong with them. */
public final class CorruptEntryException extends UnreadableEntryException {
    @Serial
    private static final long serialVersionUID = 1L;

    CorruptEntryException(String message) {
        super(message);
    }

    CorruptEntryException(String message, Throwable cause) {
        super(message, cause);
    }
}
