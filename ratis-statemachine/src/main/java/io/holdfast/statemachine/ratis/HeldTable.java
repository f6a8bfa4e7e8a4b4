package io.holdfast.statemachine.ratis;

import io.holdfast.core.Applied;
import io.holdfast.core.Limits;
import io.holdfast.core.LockTable;
import io.holdfast.core.Position;
import io.holdfast.statemachine.codec.Entry;
import io.holdfast.statemachine.snapshot.Batch;
import io.holdfast.statemachine.snapshot.Loaded;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.ratis.server.protocol.TermIndex;

/** A replica's lock table, for one thread at a time: the one that applies holds it for an entry and its listener, readers for a query. Thread safe. */
final class HeldTable {
    private final ReentrantLock lock = new ReentrantLock();
    private Loaded loaded = new Loaded(new LockTable(Limits.DEFAULT), 0, 0, 0);
    // Of the last entry that the table has.
    private long appliedTerm;

    /** Puts another table in the place of this one. */
    void replace(Loaded with) {
        lock.lock();
        try {
            loaded = with;
            appliedTerm = with.term();
        } finally {
            lock.unlock();
        }
    }

    <T> T read(Function<LockTable, T> query) {
        lock.lock();
        try {
            return query.apply(loaded.table());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Applies an entry, and tells the listener before anybody else can look.
     *
     * @return how many records have changed since they were last taken
     */
    int apply(TermIndex at, Entry entry, ReplicaListener listener) {
        lock.lock();
        try {
            LockTable table = loaded.table();
            Applied applied = table.apply(new Position(at.getIndex(), entry.leaseTimeNanos()), entry.commands());
            appliedTerm = at.getTerm();
            listener.onApplied(entry, applied, table);
            return table.changeCount();
        } finally {
            lock.unlock();
        }
    }

    /** {@return what changed, which counts as saved from now on} */
    Batch takeChanges() {
        lock.lock();
        try {
            return new Batch(loaded.table().takeChanges(), appliedTerm, loaded.generation());
        } finally {
            lock.unlock();
        }
    }
}
