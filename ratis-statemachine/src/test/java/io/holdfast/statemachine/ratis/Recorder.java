package io.holdfast.statemachine.ratis;

import io.holdfast.core.Applied;
import io.holdfast.core.LockTable;
import io.holdfast.statemachine.codec.Entry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what a replica's listeners heard. */
final class Recorder implements ReplicaListener, FatalListener {
    final List<Entry> entries = new CopyOnWriteArrayList<>();
    final List<Applied> applied = new CopyOnWriteArrayList<>();
    final List<Long> termsLed = new CopyOnWriteArrayList<>();
    final List<String> fatal = new CopyOnWriteArrayList<>();

    // Written by Ratis' threads, read by the test's.
    private volatile boolean leads;

    @Override
    public void onApplied(Entry entry, Applied outcome, LockTable table) {
        entries.add(entry);
        applied.add(outcome);
    }

    @Override
    public void onLeaderReady(long term, LockTable table) {
        termsLed.add(term);
        leads = true;
    }

    @Override
    public void onNotLeader() {
        leads = false;
    }

    @Override
    public void onFatal(String reason) {
        fatal.add(reason);
    }

    boolean leads() {
        return leads;
    }

    List<Long> indexes() {
        return applied.stream().map(it -> it.position().index()).toList();
    }
}
