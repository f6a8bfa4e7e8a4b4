package io.holdfast.server.grpc;

/** A node does not do what its operator asked for, and says why. It had no effect. Has no stack trace: it is a value that travels in a future. */
public final class OperationRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why not. */
    public enum Why {
        /** No member has this id. */
        NO_SUCH_MEMBER,
        /** A member has this id or address. */
        ALREADY_MEMBER,
        /** Another change of members or leader is under way. */
        CHANGE_UNDER_WAY,
        /** The member does not answer, does not catch up, or would not lead. */
        NOT_READY,
        /** It is the last member. */
        LAST_MEMBER,
        /** The disk is full, read-only, or fails. */
        DISK_UNUSABLE
    }

    private final Why why;

    /**
     * Creates it.
     *
     * @param why why not
     * @param message the same for people: who or what, and what to do
     */
    public OperationRefused(Why why, String message) {
        super(message, null, false, false);
        this.why = why;
    }

    /** {@return why not} */
    public Why why() {
        return why;
    }
}
