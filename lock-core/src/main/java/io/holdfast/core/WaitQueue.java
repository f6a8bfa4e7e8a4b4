package io.holdfast.core;

import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who waits for one lock: each owner once, in the order of coming. Joining, leaving from anywhere and finding cost O(log n). */
final class WaitQueue {
    // Absent while nobody waits, as mostly nobody does. Sorted, and not hashed: clients choose the owners.
    private @Nullable NavigableMap<Long, Waiter> bySequence;
    private @Nullable NavigableMap<Owner, Waiter> byOwner;

    /** Those whose owner waits elsewhere too; absent while there are none, as mostly there are none. */
    private @Nullable NavigableMap<Long, Waiter> entangled;

    boolean isEmpty() {
        return bySequence == null;
    }

    int size() {
        return bySequence == null ? 0 : bySequence.size();
    }

    @Nullable
    Waiter first() {
        return bySequence == null ? null : bySequence.firstEntry().getValue();
    }

    @Nullable
    Waiter of(Owner owner) {
        return byOwner == null ? null : byOwner.get(owner);
    }

    /** In the order of coming. */
    Collection<Waiter> all() {
        return bySequence == null ? List.of() : bySequence.values();
    }

    /** Those before that place whose owner waits elsewhere too, in the order of coming. */
    Collection<Waiter> entangledBefore(long sequence) {
        return entangled == null ? List.of() : entangled.headMap(sequence).values();
    }

    void setEntangled(Waiter waiter, boolean isEntangled) {
        if (isEntangled) {
            if (entangled == null) {
                entangled = new TreeMap<>();
            }
            entangled.put(waiter.sequence, waiter);
        } else if (entangled != null) {
            entangled.remove(waiter.sequence);
            if (entangled.isEmpty()) {
                entangled = null;
            }
        }
    }

    void add(Waiter waiter) {
        if (bySequence == null || byOwner == null) {
            bySequence = new TreeMap<>();
            byOwner = new TreeMap<>();
        }
        bySequence.put(waiter.sequence, waiter);
        byOwner.put(waiter.lease.owner(), waiter);
    }

    void remove(Waiter waiter) {
        if (bySequence == null || byOwner == null) {
            return;
        }
        bySequence.remove(waiter.sequence);
        byOwner.remove(waiter.lease.owner());
        setEntangled(waiter, false);
        if (bySequence.isEmpty()) {
            bySequence = null;
            byOwner = null;
        }
    }
}
