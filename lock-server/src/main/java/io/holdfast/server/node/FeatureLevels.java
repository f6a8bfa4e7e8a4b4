package io.holdfast.server.node;

import io.holdfast.core.Command;
import io.holdfast.core.LockTable;
import io.holdfast.server.grpc.Cluster;
import io.holdfast.server.proposer.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises the feature level of the cluster, on the leader, once all members run, and know and allow a higher one. An older version refuses the log from there on: so one that does not answer is waited for, however long it takes. For the timer's thread.
 */
final class FeatureLevels {
    private static final Logger LOG = LoggerFactory.getLogger(FeatureLevels.class);

    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private final String nodeId;
    private final int highest;
    private final Cluster cluster;
    private final Store store;
    private final Others others;
    private final LongSupplier nanoTime;
    private long nextNanos;

    /** Asks the other nodes: a port. */
    interface Others {
        /** {@return the highest feature level that this member knows; fails if it does not answer soon} */
        CompletionStage<Integer> featureLevelKnownBy(Cluster.Member member);
    }

    /**
     * Raises nothing before it is polled.
     *
     * @param highest the highest level that this node knows and allows
     */
    FeatureLevels(String nodeId, int highest, Cluster cluster, Store store, Others others, LongSupplier nanoTime) {
        this.nodeId = nodeId;
        this.highest = highest;
        this.cluster = cluster;
        this.store = store;
        this.others = others;
        this.nanoTime = nanoTime;
        this.nextNanos = nanoTime.getAsLong();
    }

    /** To be called several times a second; asks the others at most once a second, and not at all where there is nothing to raise. */
    void poll() {
        long now = nanoTime.getAsLong();
        if (now - nextNanos < 0 || !cluster.isLeading()) {
            return;
        }
        nextNanos = now + PAUSE_NANOS;
        int level = store.readStale(LockTable::featureLevel).value();
        if (level < highest) {
            ask(level, cluster.view().members());
        }
    }

    private void ask(int level, List<Cluster.Member> members) {
        CompletableFuture<Integer> lowest = CompletableFuture.completedFuture(highest);
        for (Cluster.Member member : members) {
            if (!member.id().equals(nodeId)) {
                lowest = lowest.thenCombine(others.featureLevelKnownBy(member), Math::min);
            }
        }
        var unused = lowest.whenComplete((known, failure) -> {
            // Who has become a member meanwhile has not been asked.
            if (failure == null && known > level && cluster.view().members().equals(members)) {
                raise(known);
            }
        });
    }

    private void raise(int level) {
        var unused = store.submit(new Command.RaiseFeatureLevel(level)).whenComplete((answer, failure) -> {
            if (failure == null) {
                LOG.info("The cluster is at feature level {} from log index {} on", level, answer.appliedIndex());
            } else {
                LOG.debug("The feature level was not raised, or not yet", failure);
            }
        });
    }
}
