package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One name's holders and queue. Exists only while it has any, or a pause is to be kept (invariant I7). */
final class Lock {
    final LockName name;

    /** How many permits a semaphore has; 0 of what is none. Whoever comes first says it, and it stays for as long as anybody holds or waits. */
    final int capacity;

    final Holders holders = new Holders();
    final WaitQueue queue = new WaitQueue();

    /** Until it is over, nobody gets the lock. */
    @Nullable
    Delay delay;

    /** The last search for a deadlock that looked at those who hold it. Means nothing to the state. */
    long seenBy;

    /** The last entry in which holders that were due but not yet swept were looked for. */
    long settledIndex;

    Lock(LockName name, int capacity) {
        this.name = name;
        this.capacity = capacity;
    }

    boolean isEmpty() {
        return holders.isEmpty() && queue.isEmpty() && delay == null;
    }

    boolean isHeldAlone() {
        Hold first = holders.first();
        return first != null && first.terms.mode() instanceof Mode.Exclusive;
    }

    /** Whether one more could hold it besides those who do. Says nothing of those who wait. */
    boolean hasRoomFor(Mode mode) {
        if (delay != null) {
            return false;
        }
        return switch (mode) {
            case Mode.Exclusive it -> holders.isEmpty();
            case Mode.Shared it -> !isHeldAlone();
            case Mode.Permits it -> holders.permits() + it.permits() <= capacity;
        };
    }

    /** Whether a new acquire gets it at once: it overtakes nobody who waits. */
    boolean isOpenTo(Mode mode) {
        return queue.isEmpty() && hasRoomFor(mode);
    }

    /** The first of those who hold it. */
    Optional<HoldView> holder(long clockNanos) {
        return Optional.ofNullable(holders.first()).map(hold -> hold.view(clockNanos));
    }

    /** Why that owner waits; empty if it does not. */
    Optional<Why> why(Owner owner, long clockNanos, int most) {
        Waiter waiter = queue.of(owner);
        if (waiter == null) {
            return Optional.empty();
        }
        List<WaiterView> ahead = new ArrayList<>();
        int place = 1;
        for (Waiter one : queue.all()) {
            if (one == waiter) {
                break;
            }
            if (place++ <= most) {
                ahead.add(one.view(name, clockNanos));
            }
        }
        List<LockName> others = waiter.wants.stream()
                .map(Want::name)
                .filter(it -> !it.equals(name))
                .toList();
        return Optional.of(new Why(view(clockNanos, 0), waiter.view(name, clockNanos), place, ahead, others));
    }

    LockView view(long clockNanos, int maxWaiters) {
        List<WaiterView> first = new ArrayList<>(Math.min(maxWaiters, queue.size()));
        for (Waiter waiter : queue.all()) {
            if (first.size() >= maxWaiters) {
                break;
            }
            first.add(waiter.view(name, clockNanos));
        }
        return new LockView(
                name,
                holders.views(clockNanos),
                first,
                queue.size(),
                delay == null ? 0 : Math.max(0, delay.deadlineNanos() - clockNanos));
    }
}
