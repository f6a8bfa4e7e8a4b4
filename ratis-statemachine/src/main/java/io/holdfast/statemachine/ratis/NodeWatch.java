package io.holdfast.statemachine.ratis;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks after a running node from outside of Ratis, each time the process' timer says so: at its files, and at its disk. Thread safe. */
final class NodeWatch {
    private static final Logger LOG = LoggerFactory.getLogger(NodeWatch.class);

    private final RaftServer server;
    private final RaftGroupId groupId;
    private final LockStateMachine stateMachine;
    private final Runnable handOver;
    private final MetaGuard metaGuard;

    // Guards the two below, which are for one thread at a time.
    private final ReentrantLock lock = new ReentrantLock();
    private final MetaLag metaLag;
    private final DiskGuard diskGuard;

    private volatile DiskState disk;

    /**
     * Looks after a node.
     *
     * @param handOver makes another node the leader; runs on a thread of its own
     */
    NodeWatch(RaftNodeConfig config, RaftServer server, LockStateMachine stateMachine, Runnable handOver) {
        GroupFolder folder = GroupFolder.of(config);
        this.server = server;
        this.groupId = RaftSettings.groupId(config);
        this.stateMachine = stateMachine;
        this.handOver = handOver;
        this.metaGuard = new MetaGuard(folder, System::nanoTime);
        this.metaLag = new MetaLag(folder, System::nanoTime);
        this.diskGuard = new DiskGuard(config.folder(), config.diskReserveBytes(), System::nanoTime);
        this.disk = diskGuard.look(-1, -1);
    }

    DiskState disk() {
        return disk;
    }

    void poll() {
        lock.lock();
        try {
            metaGuard.poll();
            RaftServer.Division division = server.getDivision(groupId);
            if (division.getInfo().isAlive()) {
                look(division);
            }
        } catch (IOException e) {
            LOG.debug("Raft is closed, or has no group", e);
        } finally {
            lock.unlock();
        }
    }

    private void look(RaftServer.Division division) throws IOException {
        DivisionInfo info = division.getInfo();
        metaLag.poll(
                        info.getCurrentTerm(),
                        division.getRaftLog().loadMetadata().getTerm(),
                        division.getRaftConf().getLogEntryIndex(),
                        info.getLastAppliedIndex())
                .ifPresent(stateMachine::fail);
        TermIndex last = division.getRaftLog().getLastEntryTermIndex();
        disk = diskGuard.look(
                last == null ? -1 : last.getIndex(), division.getRaftLog().getFlushIndex());
        if (info.isLeader() && diskGuard.shouldHandOver()) {
            Thread.ofPlatform().name("holdfast-hand-over").daemon().start(handOver);
        }
    }

    /** After Ratis has stopped. */
    void close() {
        metaGuard.close();
    }
}
