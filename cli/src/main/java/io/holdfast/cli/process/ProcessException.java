package io.holdfast.cli.process;

/** Processes on this machine could not be started or stopped as asked. */
public final class ProcessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final String field;

    /** Whose fault it is. */
    public enum Kind {
        /** The caller's: a port in use, a folder that is not ours. */
        USAGE,
        /** The nodes run, but no leader came up in time. */
        NO_LEADER,
        /** A node's, or the machine's. */
        FAILED
    }

    ProcessException(Kind kind, String field, String message) {
        super(message, null, false, false);
        this.kind = kind;
        this.field = field;
    }

    static ProcessException usage(String field, String message) {
        return new ProcessException(Kind.USAGE, field, message);
    }

    static ProcessException failed(String message) {
        return new ProcessException(Kind.FAILED, "", message);
    }

    /**
     * Tells whose fault it is.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Names the option in question.
     *
     * @return empty if there is none
     */
    public String field() {
        return field;
    }
}
