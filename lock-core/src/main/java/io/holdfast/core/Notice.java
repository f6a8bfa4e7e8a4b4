package io.holdfast.core;

/** The notice to a holder that its hold is revoked: when the grace is over, the hold ends. */
final class Notice extends Timed {
    /** Another one once the hold is converted. */
    Hold hold;

    final String reason;
    final String by;

    Notice(Hold hold, long sequence, long deadlineNanos, String reason, String by) {
        super(sequence, deadlineNanos);
        this.hold = hold;
        this.reason = reason;
        this.by = by;
    }

    Image.Revocation image() {
        return new Image.Revocation(sequence, deadlineNanos(), reason, by);
    }

    NoticeView view(long clockNanos) {
        return new NoticeView(Math.max(0, deadlineNanos() - clockNanos), reason, by);
    }
}
