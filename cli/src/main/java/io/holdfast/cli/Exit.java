package io.holdfast.cli;

/** What the process tells its caller. Scripts rely on these numbers. */
public enum Exit {
    /** Yes, done. */
    YES(0),
    /** A clear no: not obtained in time, not held. */
    NO(1),
    /** Usage or bad input. */
    USAGE(2),
    /** No leader or quorum within the timeout. */
    UNAVAILABLE(3),
    /** The lease was lost while a command ran. */
    LOST(4),
    /** Not allowed. */
    DENIED(5),
    /** A bug: there is a line to report. */
    INTERNAL(70);

    private final int code;

    Exit(int code) {
        this.code = code;
    }

    /**
     * The number.
     *
     * @return the process's exit code
     */
    public int code() {
        return code;
    }
}
