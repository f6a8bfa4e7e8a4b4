package io.holdfast.client;

/** Why a call failed, and what is known about its effect. A lock that is held by somebody else is no failure but an answer. */
public abstract sealed class HoldfastException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private HoldfastException(String message) {
        super(message);
    }

    /**
     * Tells whether the request may have taken effect.
     *
     * @return false if it certainly had none
     */
    public boolean mayHaveTakenEffect() {
        return false;
    }

    /** A field is out of its limits. No effect; sending it again is of no use. */
    public static final class InvalidArgument extends HoldfastException {
        private static final long serialVersionUID = 1L;
        private final String field;

        /**
         * Creates it.
         *
         * @param field the field in question
         * @param message one sentence that names field, value and limit
         */
        public InvalidArgument(String field, String message) {
            super(message);
            this.field = field;
        }

        /**
         * Names the field.
         *
         * @return its name in the public API
         */
        public String field() {
            return field;
        }
    }

    /** No leader, or no majority, was found within the timeout. */
    public static final class Unavailable extends HoldfastException {
        private static final long serialVersionUID = 1L;
        private final boolean outcomeUnknown;

        /**
         * Creates it.
         *
         * @param outcomeUnknown whether some sending of the request may have been carried out
         * @param message what was tried, for people
         */
        public Unavailable(boolean outcomeUnknown, String message) {
            super(message);
            this.outcomeUnknown = outcomeUnknown;
        }

        @Override
        public boolean mayHaveTakenEffect() {
            return outcomeUnknown;
        }
    }

    /** The session expired, was closed, or was never opened. No effect; final for this session. */
    public static final class NoSuchSession extends HoldfastException {
        private static final long serialVersionUID = 1L;

        /**
         * Creates it.
         *
         * @param message for people
         */
        public NoSuchSession(String message) {
            super(message);
        }
    }

    /** A bound of the store is reached. No effect; try again later. */
    public static final class LimitReached extends HoldfastException {
        private static final long serialVersionUID = 1L;

        /**
         * Creates it.
         *
         * @param message which bound, for people
         */
        public LimitReached(String message) {
            super(message);
        }
    }

    /** The store's feature level is too low for this request: some member is of an older version, or the cluster has just started. No effect; try again once the level is raised, which happens by itself. */
    public static final class FeatureLevelTooLow extends HoldfastException {
        private static final long serialVersionUID = 1L;

        /**
         * Creates it.
         *
         * @param message which level it takes, and which there is, for people
         */
        public FeatureLevelTooLow(String message) {
            super(message);
        }
    }

    /** The request is too old for the store to tell whether a sending of it was carried out earlier. It was not carried out now. */
    public static final class TooLate extends HoldfastException {
        private static final long serialVersionUID = 1L;
        private final boolean sentOnce;

        /**
         * Creates it.
         *
         * @param sentOnce whether this was the only sending, so that there is no earlier one that may have been carried out
         * @param message for people
         */
        public TooLate(boolean sentOnce, String message) {
            super(message);
            this.sentOnce = sentOnce;
        }

        @Override
        public boolean mayHaveTakenEffect() {
            return !sentOnce;
        }
    }

    /** A node does not do what its operator asked for. No effect. */
    public static final class OperationRefused extends HoldfastException {
        private static final long serialVersionUID = 1L;
        private final String reason;

        /**
         * Creates it.
         *
         * @param reason a name of ErrorReason in the public API
         * @param message why, for people
         */
        public OperationRefused(String reason, String message) {
            super(message);
            this.reason = reason;
        }

        /**
         * Says why not.
         *
         * @return NO_SUCH_MEMBER, ALREADY_MEMBER, CHANGE_UNDER_WAY, MEMBER_NOT_READY, LAST_MEMBER or DISK_UNUSABLE
         */
        public String reason() {
            return reason;
        }
    }

    /** The server failed in a way that it should not. */
    public static final class ServerFault extends HoldfastException {
        private static final long serialVersionUID = 1L;

        /**
         * Creates it.
         *
         * @param message with what to report
         */
        public ServerFault(String message) {
            super(message);
        }

        @Override
        public boolean mayHaveTakenEffect() {
            return true;
        }
    }

    /** Events were lost: no node can tell any more what happened next. No effect. */
    public static final class TooOld extends HoldfastException {
        private static final long serialVersionUID = 1L;
        private final long firstIndex;

        /**
         * Creates it.
         *
         * @param firstIndex the first log index from which on all can be told
         * @param message for people
         */
        public TooOld(long firstIndex, String message) {
            super(message);
            this.firstIndex = firstIndex;
        }

        /**
         * Says where a watch can begin.
         *
         * @return the first log index from which on all can be told
         */
        public long firstIndex() {
            return firstIndex;
        }
    }
}
