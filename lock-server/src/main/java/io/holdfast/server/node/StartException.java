package io.holdfast.server.node;

/** A node cannot start, for a reason that its operator can mend: the message names key, value and file. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message, null, false, false);
    }
}
