package io.holdfast.core;

/** Something that ends at a lease time unless it is moved or removed before. Lives in one {@link DeadlineHeap}. */
abstract sealed class Timed permits Lease, Waiter, Delay, Notice {
    /** Its place in the heap; −1 outside. Kept by the heap. */
    int heapIndex = -1;

    /** Breaks ties between equal deadlines: the order of making, the same on every node. */
    final long sequence;

    /** The last search for a deadlock that came here. Means nothing to the state. */
    long seenBy;

    private long deadlineNanos;

    Timed(long sequence, long deadlineNanos) {
        this.sequence = sequence;
        this.deadlineNanos = deadlineNanos;
    }

    final long deadlineNanos() {
        return deadlineNanos;
    }

    /** Only for what is outside the heap, and for the heap itself. */
    final void setDeadlineNanos(long nanos) {
        deadlineNanos = nanos;
    }

    /** What is due counts as ended for every command that touches it, swept or not (DESIGN §2). */
    final boolean isDue(long clockNanos) {
        return deadlineNanos <= clockNanos;
    }

    final boolean comesBefore(Timed other) {
        return deadlineNanos != other.deadlineNanos ? deadlineNanos < other.deadlineNanos : sequence < other.sequence;
    }
}
