package io.holdfast.server.proposer;

/** No answer to a command, and whether it may have had its effect all the same. Has no stack trace: it is a value that travels in a future. */
public final class Unanswered extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why there is no answer. */
    public enum Why {
        /** This node does not lead. No effect. */
        NOT_LEADER(true),
        /** More commands wait than the node can bear. No effect. */
        OVERLOADED(true),
        /** The node is stopping. No effect. */
        STOPPING(true),
        /** Leadership or quorum was lost under way. It may have had its effect: send the same request again. */
        OUTCOME_UNKNOWN(false);

        private final boolean definite;

        Why(boolean definite) {
            this.definite = definite;
        }

        /** {@return whether the command certainly had no effect} */
        public boolean isDefinite() {
            return definite;
        }
    }

    private final Why why;

    /**
     * Creates it.
     *
     * @param why why there is no answer
     * @param message the same for people, with what is known
     */
    public Unanswered(Why why, String message) {
        super(message, null, false, false);
        this.why = why;
    }

    static Unanswered leadershipLost() {
        return new Unanswered(Why.OUTCOME_UNKNOWN, "leadership was lost while the command was under way");
    }

    static Unanswered overloaded(int waiting) {
        return new Unanswered(Why.OVERLOADED, waiting + " commands wait already: try again later");
    }

    /** {@return why there is no answer} */
    public Why why() {
        return why;
    }
}
