package io.holdfast.statemachine.ratis;

import io.holdfast.core.Applied;
import io.holdfast.core.Limits;
import io.holdfast.core.LockTable;
import io.holdfast.core.Position;
import io.holdfast.statemachine.codec.Entry;
import io.holdfast.statemachine.codec.EntryCodec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds the lock table to Raft: applies committed entries in log order, and passes on what Ratis says about leadership.
 *
 * <p>Ratis applies on one thread. The table is read by others too, so each entry, and each read, holds {@code tableLock}.
 */
public final class LockStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(LockStateMachine.class);

    private final ReplicaListener listener;
    private final FatalListener fatal;

    /** Guards the table: an entry is applied whole before anybody reads. */
    private final ReentrantLock tableLock = new ReentrantLock();

    private final LockTable table = new LockTable(Limits.DEFAULT);
    private volatile boolean broken;

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
     * Reads the state as it is on this node.
     *
     * @param <T> what is read
     * @param query reads the table and keeps no reference to it
     * @return what it read
     */
    public <T> T read(Function<LockTable, T> query) {
        tableLock.lock();
        try {
            return query.apply(table);
        } finally {
            tableLock.unlock();
        }
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto logEntry = transaction.getLogEntry();
        long index = logEntry.getIndex();
        if (broken) {
            // Nothing is applied past an entry that could not be.
            return CompletableFuture.failedFuture(new IllegalStateException("stopped before index " + index));
        }
        try {
            Entry entry = EntryCodec.decode(
                    logEntry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer());
            apply(index, entry);
        } catch (RuntimeException e) {
            broken = true;
            LOG.error("Cannot apply log index {}", index, e);
            fatal.onFatal("log index " + index + " cannot be applied: " + e.getMessage());
            throw e; // Ratis stops the server: to skip an entry is to diverge
        }
        updateLastAppliedTermIndex(logEntry.getTerm(), index);
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    private void apply(long index, Entry entry) {
        tableLock.lock();
        try {
            Applied applied = table.apply(new Position(index, entry.leaseTimeNanos()), entry.commands());
            listener.onApplied(entry, applied, table);
        } finally {
            tableLock.unlock();
        }
    }

    @Override
    public long takeSnapshot() {
        return RaftLog.INVALID_LOG_INDEX;
    }

    @Override
    public StateMachine.LeaderEventApi leaderEvent() {
        return new StateMachine.LeaderEventApi() {
            @Override
            public void notifyLeaderReady() {
                TermIndex applied = getLastAppliedTermIndex();
                tableLock.lock();
                try {
                    listener.onLeaderReady(applied == null ? 0 : applied.getTerm(), table);
                } finally {
                    tableLock.unlock();
                }
            }

            @Override
            public void notifyNotLeader(java.util.Collection<TransactionContext> pending) {
                listener.onNotLeader();
            }
        };
    }

    @Override
    public StateMachine.EventApi event() {
        return new StateMachine.EventApi() {
            @Override
            public void notifyLeaderChanged(RaftGroupMemberId self, RaftPeerId leader) {
                if (!self.getPeerId().equals(leader)) {
                    listener.onNotLeader();
                    LOG.info("Node {} follows {}", self.getPeerId(), leader);
                }
            }

            @Override
            public void notifyTermIndexUpdated(long term, long index) {
                updateLastAppliedTermIndex(term, index);
            }

            @Override
            public void notifyLogFailed(Throwable cause, LogEntryProto failed) {
                broken = true;
                LOG.error("The Raft log failed", cause);
                fatal.onFatal("the Raft log failed: " + cause);
            }

            @Override
            public void notifyServerShutdown(RoleInfoProto role, boolean allServers) {
                if (role.getRole() != RaftPeerRole.UNRECOGNIZED) {
                    fatal.onFatal("Raft stopped itself");
                }
            }
        };
    }
}
