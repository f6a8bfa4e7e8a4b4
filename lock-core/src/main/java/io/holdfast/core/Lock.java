package io.holdfast.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** One name's holder and queue. Exists only while it has a holder (invariant I7). */
final class Lock {
    final LockName name;
    private Hold hold;

    // In queue order. A map, so that a waiter leaves from the middle in O(1).
    private final SequencedMap<Owner, Waiter> queue = new LinkedHashMap<>();

    Lock(Hold first) {
        this.name = first.name;
        this.hold = first;
    }

    Hold hold() {
        return hold;
    }

    void passTo(Hold next) {
        hold = next;
    }

    @Nullable
    Hold holdOf(Owner owner) {
        return hold.lease.owner().equals(owner) ? hold : null;
    }

    @Nullable
    Waiter waiterOf(Owner owner) {
        return queue.get(owner);
    }

    void enqueue(Waiter waiter) {
        queue.put(waiter.lease.owner(), waiter);
    }

    void dequeue(Waiter waiter) {
        queue.remove(waiter.lease.owner());
    }

    Optional<Waiter> first() {
        return queue.values().stream().findFirst();
    }

    @Nullable
    Waiter last() {
        return queue.isEmpty() ? null : queue.lastEntry().getValue();
    }

    int waiterCount() {
        return queue.size();
    }

    Iterable<Waiter> waiters() {
        return queue.values();
    }

    LockView view(long clockNanos, int maxWaiters) {
        List<WaiterView> first = new ArrayList<>(Math.min(maxWaiters, queue.size()));
        for (Waiter waiter : queue.values()) {
            if (first.size() >= maxWaiters) {
                break;
            }
            first.add(waiter.view(clockNanos));
        }
        return new LockView(name, List.of(hold.view(clockNanos)), first, queue.size());
    }
}
