package io.holdfast.cli;

/** Ends a command with an exit code and one line for people. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Exit exit;
    private final String reason;
    private final String field;

    /**
     * Creates it.
     *
     * @param exit how the process ends
     * @param reason the error in capitals, for scripts
     * @param field the field or option in question; empty if there is none
     * @param message one line for people
     */
    Failure(Exit exit, String reason, String field, String message) {
        super(message, null, false, false);
        this.exit = exit;
        this.reason = reason;
        this.field = field;
    }

    static Failure usage(String field, String message) {
        return new Failure(Exit.USAGE, "INVALID_ARGUMENT", field, message);
    }

    Exit exit() {
        return exit;
    }

    String reason() {
        return reason;
    }

    String field() {
        return field;
    }
}
