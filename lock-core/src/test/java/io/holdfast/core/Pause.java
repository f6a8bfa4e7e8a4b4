package io.holdfast.core;

/** A lock-delay in the naive service. */
final class Pause {
    final LockName name;
    final long born;
    final int capacity;
    long until;

    Pause(LockName name, long born, int capacity, long until) {
        this.name = name;
        this.born = born;
        this.capacity = capacity;
        this.until = until;
    }
}
