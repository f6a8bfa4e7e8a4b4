package io.holdfast.statemachine.ratis;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out that this node was removed from the cluster. Whoever is removed does not get the entry that says so: it is left without a leader, and when it stands for election, the leader has Ratis close it. So this looks at the others, when either has happened. Thread safe.
 */
final class RemovalCheck {
    private static final Logger LOG = LoggerFactory.getLogger(RemovalCheck.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final RaftNodeConfig config;
    private final RaftServer server;
    private final RaftGroupId groupId;
    private final LockStateMachine stateMachine;

    private final AtomicBoolean isLooking = new AtomicBoolean();

    // Each written by one thread at a time: the process' timer, or the one look that is under way.
    private volatile long ledNanos = System.nanoTime();
    private volatile long lookedNanos = System.nanoTime();

    RemovalCheck(RaftNodeConfig config, RaftServer server, LockStateMachine stateMachine) {
        this.config = config;
        this.server = server;
        this.groupId = RaftSettings.groupId(config);
        this.stateMachine = stateMachine;
    }

    /** Looks at the others, on another thread, if there has been no leader for a while. */
    void poll() {
        long now = System.nanoTime();
        if (hasLeader()) {
            ledNanos = now;
        } else if (now - ledNanos > 2 * config.electionTimeoutMax().toNanos()
                && now - lookedNanos > PAUSE.toNanos()
                && isLooking.compareAndSet(false, true)) {
            Thread.ofVirtual().name("holdfast-removal-check").start(this::look);
        }
    }

    private boolean hasLeader() {
        try {
            DivisionInfo info = server.getDivision(groupId).getInfo();
            return info.isAlive() && info.getLeaderId() != null;
        } catch (IOException e) {
            LOG.debug("Raft has no group", e);
            return false;
        }
    }

    private void look() {
        try {
            if (isRemoved()) {
                stateMachine.fail(reason());
            }
        } finally {
            lookedNanos = System.nanoTime();
            isLooking.set(false);
        }
    }

    /** {@return why Ratis has closed this replica} */
    String whyClosed() {
        return isRemoved() ? reason() : "Ratis has closed this replica";
    }

    private String reason() {
        return "This node was removed from cluster " + config.cluster() + ": node " + config.nodeId()
                + " is no member any more. " + RemovedException.HOW_TO_COME_BACK;
    }

    private boolean isRemoved() {
        try (Probe probe = new Probe(config)) {
            boolean isRemoved = new Round(config.nodeId(), probe.look(others().values())).isCertainlyNoMember();
            if (isRemoved) {
                Standing.REMOVED.write(config.folder());
            }
            return isRemoved;
        } catch (IOException e) {
            LOG.warn("Cannot find out, or write down, whether this node was removed: {}", StartChecks.reason(e));
            return false;
        }
    }

    private Map<String, RaftNodeConfig.Member> others() throws IOException {
        Map<String, RaftNodeConfig.Member> others = new TreeMap<>();
        config.members().forEach(member -> others.put(member.nodeId(), member));
        Peers.members(server.getDivision(groupId).getRaftConf().getAllPeers())
                .forEach(member -> others.put(member.nodeId(), member));
        others.remove(config.nodeId());
        return others;
    }
}
