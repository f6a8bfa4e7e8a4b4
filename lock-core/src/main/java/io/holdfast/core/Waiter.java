package io.holdfast.core;

import java.util.List;

/** A place in the queue of a lock. Its deadline is its wait deadline; it leaves earlier if its lease ends. */
final class Waiter extends Timed implements Kept {
    final LockName name;
    final Lease lease;
    final long logIndex;
    final long queuedAtNanos;
    final Terms terms;

    /** The acquires that wait here: one, or several if a session asked anew. */
    List<Request> requests;

    Waiter(
            LockName name,
            Lease lease,
            long sequence,
            long logIndex,
            long queuedAtNanos,
            long deadlineNanos,
            List<Request> requests,
            Terms terms) {
        super(sequence, deadlineNanos);
        this.name = name;
        this.lease = lease;
        this.logIndex = logIndex;
        this.queuedAtNanos = queuedAtNanos;
        this.requests = requests;
        this.terms = terms;
    }

    static long deadline(long clockNanos, long waitNanos) {
        return waitNanos >= Bounds.WAIT_FOREVER - clockNanos ? Bounds.WAIT_FOREVER : clockNanos + waitNanos;
    }

    boolean hasDeadline() {
        return deadlineNanos() != Bounds.WAIT_FOREVER;
    }

    /** Must leave instead of being granted. */
    boolean isOver(long clockNanos) {
        return isDue(clockNanos) || lease.isDue(clockNanos);
    }

    @Override
    public ImageKey key() {
        return new ImageKey.OfWaiter(name, sequence);
    }

    @Override
    public Image image() {
        return new Image.OfWaiter(
                name, sequence, lease.ownerImage(), logIndex, queuedAtNanos, deadlineNanos(), requests, terms);
    }

    WaiterView view(long clockNanos) {
        return new WaiterView(
                lease.owner(),
                lease.label(),
                logIndex,
                Math.max(0, clockNanos - queuedAtNanos),
                hasDeadline() ? Math.max(0, deadlineNanos() - clockNanos) : Bounds.WAIT_FOREVER,
                lease.remainingNanos(clockNanos),
                terms);
    }
}
