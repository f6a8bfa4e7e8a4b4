package io.holdfast.server.node;

import io.holdfast.core.Applied;
import io.holdfast.core.LockTable;
import io.holdfast.server.metrics.ReplicaMeters;
import io.holdfast.server.proposer.Proposer;
import io.holdfast.server.watch.WatchHub;
import io.holdfast.statemachine.codec.Entry;
import io.holdfast.statemachine.ratis.FatalListener;
import io.holdfast.statemachine.ratis.ReplicaListener;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets the state machine and the proposer, which need each other, be made one after the other; and keeps a node that is being stopped from crying that it stopped. Thread safe. */
final class Wiring implements ReplicaListener, FatalListener {
    private final FatalListener fatal;
    private final ReplicaMeters meters;
    private final WatchHub watchers;
    private volatile @Nullable Proposer proposer;
    private volatile boolean stopping;

    Wiring(FatalListener fatal, ReplicaMeters meters, WatchHub watchers) {
        this.fatal = fatal;
        this.meters = meters;
        this.watchers = watchers;
    }

    void plug(Proposer made) {
        proposer = made;
    }

    /** What stops from now on is meant to. */
    void stop() {
        stopping = true;
    }

    @Override
    public void onApplied(Entry entry, Applied applied, LockTable table) {
        proposer().onApplied(entry, applied, table);
        watchers.onApplied(applied);
        meters.count(applied, table);
    }

    @Override
    public void onReplaced(LockTable table) {
        watchers.onReplaced(table);
    }

    @Override
    public void onLeaderReady(long term, LockTable table) {
        proposer().onLeaderReady(term, table);
    }

    @Override
    public void onNotLeader() {
        proposer().onNotLeader();
    }

    @Override
    public void onFatal(String reason) {
        if (!stopping) {
            fatal.onFatal(reason);
        }
    }

    private Proposer proposer() {
        return Objects.requireNonNull(proposer);
    }
}
