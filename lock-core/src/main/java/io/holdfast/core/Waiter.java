package io.holdfast.core;

import java.util.List;

/** A place in the queue of a lock, or one in the queue of each lock of a set. Its deadline is its wait deadline; it leaves earlier if its lease ends. */
final class Waiter extends Timed implements Kept {
    /** What it waits for, in order of names: one lock, or several that it will have all at once. */
    final List<Want> wants;

    final Lease lease;
    final long logIndex;
    final long queuedAtNanos;

    /** Whether it is known to end, to the search that {@link #seenBy} names. */
    boolean ends;

    /** The acquires that wait here: one, or several if a session asked anew. */
    List<Request> requests;

    Waiter(
            List<Want> wants,
            Lease lease,
            long sequence,
            long logIndex,
            long queuedAtNanos,
            long deadlineNanos,
            List<Request> requests) {
        super(sequence, deadlineNanos);
        this.wants = wants;
        this.lease = lease;
        this.logIndex = logIndex;
        this.queuedAtNanos = queuedAtNanos;
        this.requests = requests;
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

    /** Why it leaves if it {@link #isOver}. */
    End overBy(long clockNanos) {
        return lease.isDue(clockNanos) ? End.EXPIRED : End.TIMED_OUT;
    }

    /** Whether this is all that it waits for, and on those terms. */
    boolean isFor(List<Want> others) {
        if (others.size() != wants.size()) {
            return false;
        }
        for (int i = 0; i < others.size(); i++) {
            if (!others.get(i).name().equals(wants.get(i).name())
                    || !others.get(i).terms().mode().equals(wants.get(i).terms().mode())) {
                return false;
            }
        }
        return true;
    }

    boolean isForSet() {
        return wants.size() > 1;
    }

    /** The first lock that it waits for. */
    LockName firstName() {
        return wants.get(0).name();
    }

    /** On which terms it wants one of its locks. */
    Terms termsOf(LockName name) {
        int low = 0;
        int high = wants.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (wants.get(middle).name().compareTo(name) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return wants.get(low).terms();
    }

    @Override
    public ImageKey key() {
        return new ImageKey.OfWaiter(firstName(), sequence);
    }

    @Override
    public Image image() {
        return new Image.OfWaiter(
                firstName(),
                sequence,
                lease.ownerImage(),
                logIndex,
                queuedAtNanos,
                deadlineNanos(),
                requests,
                wants.get(0).terms(),
                wants.subList(1, wants.size()));
    }

    WaiterView view(LockName name, long clockNanos) {
        return new WaiterView(
                lease.owner(),
                lease.label(),
                logIndex,
                Math.max(0, clockNanos - queuedAtNanos),
                hasDeadline() ? Math.max(0, deadlineNanos() - clockNanos) : Bounds.WAIT_FOREVER,
                lease.remainingNanos(clockNanos),
                termsOf(name));
    }
}
