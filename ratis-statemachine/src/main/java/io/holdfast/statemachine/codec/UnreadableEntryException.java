package io.holdfast.statemachine.codec;

/** A log entry that this node cannot read: damaged, or of a newer format. Applying must stop here: to skip an entry is to diverge. */
public final class UnreadableEntryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableEntryException(String message) {
        super(message);
    }

    UnreadableEntryException(String message, Throwable cause) {
        super(message, cause);
    }
}
