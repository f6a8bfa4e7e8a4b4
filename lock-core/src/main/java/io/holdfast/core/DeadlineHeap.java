package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All deadlines of the store, the earliest on top: a binary heap whose members know their place, so that adding, moving and removing cost O(log n) and finding what is due costs O(due · log n).
 *
 * <p>The order in which members leave is total (deadline, then sequence), hence the same on every node whatever the history of the heap.
 */
final class DeadlineHeap {
    private final List<Timed> members = new ArrayList<>();

    Optional<Timed> earliest() {
        return members.isEmpty() ? Optional.empty() : Optional.of(members.get(0));
    }

    int size() {
        return members.size();
    }

    /** Adds what is outside. A deadline that never comes is not worth a place: leave it out. */
    void add(Timed timed) {
        members.add(timed);
        timed.heapIndex = members.size() - 1;
        up(timed.heapIndex);
    }

    /** Takes out what is in, and nothing else. */
    void remove(Timed timed) {
        int hole = timed.heapIndex;
        if (hole < 0) {
            return;
        }
        timed.heapIndex = -1;
        Timed last = members.remove(members.size() - 1);
        if (last != timed) {
            put(last, hole);
            up(hole);
            down(last.heapIndex);
        }
    }

    /** Gives what is in another deadline. */
    void move(Timed timed, long deadlineNanos) {
        timed.setDeadlineNanos(deadlineNanos);
        up(timed.heapIndex);
        down(timed.heapIndex);
    }

    private void up(int from) {
        Timed moving = members.get(from);
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!moving.comesBefore(members.get(parent))) {
                break;
            }
            put(members.get(parent), at);
            at = parent;
        }
        put(moving, at);
    }

    private void down(int from) {
        Timed moving = members.get(from);
        int at = from;
        for (int child = 2 * at + 1; child < members.size(); child = 2 * at + 1) {
            if (child + 1 < members.size() && members.get(child + 1).comesBefore(members.get(child))) {
                child++;
            }
            if (!members.get(child).comesBefore(moving)) {
                break;
            }
            put(members.get(child), at);
            at = child;
        }
        put(moving, at);
    }

    private void put(Timed timed, int at) {
        members.set(at, timed);
        timed.heapIndex = at;
    }
}
