package io.holdfast.statemachine.ratis;

import io.holdfast.core.Limits;
import io.holdfast.core.LockTable;
import io.holdfast.statemachine.codec.Entry;
import io.holdfast.statemachine.codec.EntryCodec;
import io.holdfast.statemachine.codec.UnreadableEntryException;
import io.holdfast.statemachine.snapshot.Batch;
import io.holdfast.statemachine.snapshot.Loaded;
import io.holdfast.statemachine.snapshot.StateStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's replica: applies what the cluster has committed to the lock table, in log order, on Ratis' one applying thread.
 *
 * <p>An entry is always applied from its bytes in the log, on the leader too, so that all nodes see the same. One that cannot be applied stops the node: nothing is ever skipped.
 *
 * <p>It begins with the newest checkpoint, or with the one that the leader has sent. {@link Snapshotter} makes new ones.
 */
public final class LockStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(LockStateMachine.class);

    private final HeldTable table = new HeldTable();
    private final ReplicaListener listener;
    private final FatalListener fatal;

    // Guards the order of what the listener hears about leadership, which comes from several threads. Taken before
    // the table, never after it.
    private final ReentrantLock leadershipLock = new ReentrantLock();

    // True when the end has come, or is meant to: it is told once.
    private final AtomicBoolean isOver = new AtomicBoolean();

    private final RatisSnapshots snapshots = new RatisSnapshots();
    // Known once a node starts with it.
    private @Nullable RaftNodeConfig config;
    // Known once Ratis has initialized it.
    private volatile @Nullable StateStore store;
    private volatile @Nullable Snapshotter snapshotter;

    // Finds out why Ratis has closed this replica; may take seconds. Written before there is a replica.
    private volatile Supplier<String> whyClosed = () -> "Ratis has closed this replica";

    // True once an entry could not be applied: nothing is applied past it. Applying thread only.
    private boolean isBroken;

    // True once a missing leader was reported; false again when there is one.
    private final AtomicBoolean isLeaderMissed = new AtomicBoolean();

    // Term of the last configuration entry. Applying thread only.
    private long configurationTerm;

    /**
     * Creates the state machine of a new replica; Ratis replays the log into it.
     *
     * @param listener learns of each entry applied, and of leadership
     * @param fatal learns that this replica can go no further
     */
    public LockStateMachine(ReplicaListener listener, FatalListener fatal) {
        this.listener = listener;
        this.fatal = fatal;
    }

    /**
     * Reads the state of this replica, which may be behind the leader's, with the table held still: applying waits meanwhile.
     *
     * @param <T> what is read
     * @param query reads the table and keeps no reference to it
     * @return what it read
     */
    public <T> T read(Function<LockTable, T> query) {
        return table.read(query);
    }

    /** Tells it, before Ratis does anything with it, which node it is part of. */
    void belongTo(RaftNodeConfig node) {
        config = node;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage storage) throws IOException {
        super.initialize(server, groupId, storage);
        getLifeCycle().startAndTransition(() -> open(storage), IOException.class);
    }

    private void open(RaftStorage storage) throws IOException {
        RaftNodeConfig node = Objects.requireNonNull(config, "belongs to no node");
        StateStore opened = new StateStore(storage.getStorageDir().getRoot().toPath(), node.cluster(), Limits.DEFAULT);
        store = opened;
        begin(opened.load(), opened);
        snapshotter = new Snapshotter(opened, node.snapshots(), new Snapshotted(), System::nanoTime);
    }

    private void begin(Loaded with, StateStore from) throws IOException {
        from.newest().ifPresent(snapshots::show);
        table.replace(with);
        read(held -> {
            listener.onReplaced(held);
            return true;
        });
        setLastAppliedTermIndex(
                with.index() == 0 ? TermIndex.INITIAL_VALUE : TermIndex.valueOf(with.term(), with.index()));
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return snapshots;
    }

    /** Comes just before Ratis puts the leader's checkpoint in the place of this node's. Older versions of Ratis call it more than once. */
    @Override
    public void pause() {
        if (getLifeCycleState() == LifeCycle.State.RUNNING) {
            getLifeCycle().transition(LifeCycle.State.PAUSING);
            getLifeCycle().transition(LifeCycle.State.PAUSED);
        }
        StateStore opened = store;
        if (opened != null) {
            opened.pause();
        }
    }

    /** Comes just after, on the applying thread. */
    @Override
    public void reinitialize() throws IOException {
        StateStore opened = Objects.requireNonNull(store);
        try {
            begin(opened.loadInstalled(), opened);
        } catch (IOException e) {
            throw stop("The leader's snapshot cannot be used: " + e.getMessage(), e);
        }
        LOG.info("Goes on from the leader's snapshot at log index {}", snapshots.index());
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    /** Comes when a new checkpoint was announced: Ratis purges its log up to there. */
    @Override
    public long takeSnapshot() throws IOException {
        StateStore opened = store;
        if (opened != null) {
            opened.newest().ifPresent(snapshots::show);
        }
        return snapshots.index();
    }

    /**
     * Takes a snapshot of what is applied by now.
     *
     * @return the newest snapshot then; fails with an {@link IOException} if there is none, or the disk fails
     */
    CompletableFuture<SnapshotTaken> requestSnapshot() {
        Snapshotter taker = snapshotter;
        return taker == null
                ? CompletableFuture.failedFuture(new IOException("this node has no part in the cluster yet"))
                : taker.request();
    }

    /** {@return where this replica's checkpoints are; empty before it has a part in the cluster} */
    Optional<StateStore> store() {
        return Optional.ofNullable(store);
    }

    /** What {@link Snapshotter} needs of this. */
    private final class Snapshotted implements Snapshotter.Replica {
        @Override
        public long appliedIndex() {
            return read(LockTable::appliedIndex);
        }

        @Override
        public Batch takeChanges() {
            return table.takeChanges();
        }

        @Override
        public void announce() {
            SnapshotNotice.send(getServer().join(), getGroupId());
        }

        @Override
        public boolean isSending() {
            return SnapshotNotice.isSending(getServer().join(), getGroupId());
        }

        @Override
        public void fail(String reason) {
            LockStateMachine.this.fail(reason);
        }
    }

    /** Only this node's own proposer writes: bytes from anywhere else could stop all replicas at once. */
    @Override
    public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
        TransactionContext transaction = super.startTransaction(request);
        if (!(request.getMessage() instanceof Proposal)) {
            LOG.warn("Refused a write from outside to the Raft port, by {}", request.getClientId());
            transaction.setException(new StateMachineException("Holdfast's log takes no entries from outside"));
        }
        return transaction;
    }

    @Override
    public TransactionContext preAppendTransaction(TransactionContext transaction) {
        if (transaction.getClientRequest().getMessage() instanceof Proposal proposal) {
            proposal.appending();
        }
        return transaction;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto logged = transaction.getLogEntry();
        if (isBroken) {
            throw new IllegalStateException("stopped before log entry " + logged.getIndex());
        }
        try {
            apply(logged);
        } catch (UnreadableEntryException e) {
            isBroken = true;
            throw stop("Log entry " + logged.getIndex() + " cannot be applied: " + e.getMessage(), null);
        } catch (RuntimeException | Error e) {
            isBroken = true;
            throw stop("Log entry " + logged.getIndex() + " cannot be applied: " + e, e);
        }
        updateLastAppliedTermIndex(logged.getTerm(), logged.getIndex());
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    private void apply(LogEntryProto logged) {
        ByteBuffer bytes = logged.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer();
        Entry entry = EntryCodec.decode(bytes);
        int changes = table.apply(TermIndex.valueOf(logged.getTerm(), logged.getIndex()), entry, listener);
        Snapshotter taker = snapshotter;
        if (taker != null) {
            taker.applied(logged.getSerializedSize(), changes);
        }
    }

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        configurationTerm = term;
    }

    /** Comes on the applying thread, just after the leader's first entry of its term, a configuration. */
    @Override
    public void notifyLeaderReady() {
        leadershipLock.lock();
        try {
            read(held -> {
                listener.onLeaderReady(configurationTerm, held);
                return true;
            });
            // Ratis ends leadership on other threads. If it did so before we had the lock, its notice was too early.
            if (!leads(configurationTerm)) {
                listener.onNotLeader();
            }
        } finally {
            leadershipLock.unlock();
        }
    }

    private boolean leads(long term) {
        try {
            DivisionInfo division = getServer().join().getDivision(getGroupId()).getInfo();
            return division.isLeader() && division.getCurrentTerm() == term;
        } catch (IOException e) {
            LOG.debug("The division is gone", e);
            return false;
        }
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        notLeader();
    }

    private void notLeader() {
        leadershipLock.lock();
        try {
            listener.onNotLeader();
        } finally {
            leadershipLock.unlock();
        }
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        isLeaderMissed.set(false);
        LOG.info("{} leads now", leader);
        if (!leader.equals(member.getPeerId())) {
            notLeader();
        }
    }

    @Override
    public void notifyExtendedNoLeader(RoleInfoProto role) {
        if (isLeaderMissed.compareAndSet(false, true)) {
            LOG.warn("There has been no leader for a while: a majority of the nodes must be up and reach each other");
        }
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failed) {
        fail(DiskFailure.ofLog(getServer().getNow(null), getGroupId(), cause));
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean all) {
        close();
    }

    /** Ends this replica for good, for a reason that Ratis does not act upon. */
    void fail(String reason) {
        var unused = stop(reason, null);
    }

    /** Names someone who can tell why Ratis has closed this replica, if it has; may take seconds. */
    void explainClose(Supplier<String> why) {
        whyClosed = why;
    }

    /** From now on the end of this replica is no accident. */
    void expectClose() {
        isOver.set(true);
    }

    /** Ratis closes the replica when its server ends for whatever reason, be it a disk, a bug, or a pause that was too long. */
    @Override
    public void close() {
        if (isOver.compareAndSet(false, true)) {
            end(() -> whyClosed.get(), null);
        }
        Snapshotter taker = snapshotter;
        if (taker != null) {
            taker.close();
        }
        StateStore opened = store;
        if (opened != null) {
            opened.close();
        }
    }

    /**
     * Ends this replica for good.
     *
     * @return what to throw at Ratis, which then closes the server
     */
    private IllegalStateException stop(String reason, @Nullable Throwable bug) {
        if (isOver.compareAndSet(false, true)) {
            end(() -> reason, bug);
        }
        return new IllegalStateException(reason, bug);
    }

    /** Not on the caller's thread: who ends the process from there closes the server, and that waits for this thread. */
    private void end(Supplier<String> why, @Nullable Throwable bug) {
        Thread.ofPlatform().name("holdfast-fatal").start(() -> {
            String reason = why.get();
            LOG.error("This node stops. {}", reason, bug);
            fatal.onFatal(reason);
        });
    }
}
