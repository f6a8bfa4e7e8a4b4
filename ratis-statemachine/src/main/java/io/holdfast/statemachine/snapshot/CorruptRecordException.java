package io.holdfast.statemachine.snapshot;

import java.io.Serial;

/** A record of a checkpoint says what no node may have written. The message tells what is wrong with it. */
final class CorruptRecordException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    CorruptRecordException(String message) {
        super(message);
    }

    CorruptRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
