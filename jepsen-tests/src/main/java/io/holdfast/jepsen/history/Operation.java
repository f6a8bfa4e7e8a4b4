package io.holdfast.jepsen.history;

import java.util.Optional;

/**
 * One call of one client. All times are in ns since the history began, on the one monotonic clock of the machine.
 *
 * @param id unique; in order of invocation
 * @param client who called
 * @param action what was asked
 * @param lock the name of the lock
 * @param invokedNanos when the call began
 * @param completedNanos when it ended; {@link #NEVER} if it had not when the history ended
 * @param answer how it ended
 * @param lease what was granted, with an acquire or a renewal that was answered yes
 * @param token the hold that was meant, with a renewal, a release or a forgetting; otherwise 0
 * @param note the error or refusal, for people; may be empty
 */
public record Operation(
        long id,
        String client,
        Action action,
        String lock,
        long invokedNanos,
        long completedNanos,
        Answer answer,
        Optional<Lease> lease,
        long token,
        String note) {
    /** Of an operation that was still open when the history ended. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Refuses what makes no sense. */
    public Operation {
        if (completedNanos < invokedNanos) {
            throw new IllegalArgumentException("operation " + id + " completed before it was invoked");
        }
        boolean gives = (action == Action.ACQUIRE || action == Action.RENEW) && answer == Answer.YES;
        if (gives != lease.isPresent()) {
            throw new IllegalArgumentException("operation " + id + ": " + action + " " + answer + " with " + lease);
        }
    }

    /** {@return whether it is that action, answered yes} */
    public boolean did(Action what) {
        return action == what && answer == Answer.YES;
    }

    /** {@return one line that names it in a report} */
    public String brief() {
        return "#" + id + " " + client + " " + action + " " + lock + " " + millis(invokedNanos) + ".."
                + (completedNanos == NEVER ? "never" : millis(completedNanos)) + " " + answer
                + lease.map(l -> " token " + l.token() + " until " + millis(l.deadlineNanos()))
                        .orElse(token == 0 ? "" : " token " + token);
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + "." + nanos / 100_000 % 10 + "ms";
    }
}
