package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Tells what of a state a snapshot must keep. {@link Restore} is the way back. */
final class Snapshots {
    private final State state;

    Snapshots(State state) {
        this.state = state;
    }

    int changeCount() {
        return state.unsaved.size()
                + state.finished.changeCount()
                + state.endedSessions.changeCount()
                + state.ring.changeCount();
    }

    /** What changed since the last call; the state then counts as saved. */
    Changes take() {
        int count = changeCount();
        List<Image> present = new ArrayList<>(count);
        List<ImageKey> gone = new ArrayList<>();
        // The parts in order of their keys.
        state.unsaved.take(present, gone);
        state.finished.take(present, gone);
        state.endedSessions.take(present, gone);
        state.ring.take(present);
        return new Changes(
                state.image(),
                present,
                gone,
                state.finished.firstOrdinal(),
                state.endedSessions.firstOrdinal(),
                state.ring.firstOrdinal());
    }

    /** The pause of a lock, then those who wait. One that waits for a set stands in several queues and has one record. */
    private static Stream<? extends Kept> waiting(Lock lock) {
        Stream<Waiter> waiters =
                lock.queue.all().stream().filter(waiter -> waiter.firstName().equals(lock.name));
        return lock.delay == null ? waiters : Stream.concat(Stream.of(lock.delay), waiters);
    }

    /** The whole state, in order of keys; made as it is iterated over. */
    Iterable<Image> images() {
        return () -> {
            Stream<Image> leases = state.sessions.values().stream().map(Kept::image);
            Stream<Image> holds = state.locks.values().stream()
                    .flatMap(lock -> lock.holders.all().stream())
                    .map(Kept::image);
            Stream<Image> waiters =
                    state.locks.values().stream().flatMap(Snapshots::waiting).map(Kept::image);
            Stream<Image> memories = Stream.of(
                            state.finished.images(), state.endedSessions.images(), state.ring.images())
                    .flatMap(it -> it);
            return Stream.concat(leases, Stream.concat(holds, Stream.concat(waiters, memories)))
                    .iterator();
        };
    }
}
