package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.ratis.Admission.Step;
import io.holdfast.statemachine.snapshot.StateStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings a node that is no member yet, or does not know, to its part in the cluster, on a thread of its own: looks at the other nodes until {@link Admission} knows what to do, and does it. Thread safe. */
final class Bootstrap implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);

    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration LOOK_EVERY_WHEN_SETTLED = Duration.ofMillis(500);

    /** A wait of less is not worth a line in the log. */
    private static final Duration WORTH_A_WORD = Duration.ofSeconds(2);

    /** Opening what it has forgets nothing; all that is at stake is whether it must be thrown away first. */
    private static final Duration DATA_PATIENCE = Duration.ofSeconds(10);

    private static final Duration CHANGE_PATIENCE = Duration.ofSeconds(30);

    private final RaftNodeConfig config;
    private final RaftServer server;
    private final CallIds calls;
    private final Probe probe;
    private final LockStateMachine stateMachine;
    private final Admission admission;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("holdfast-bootstrap").daemon().unstarted(this::run);

    // What this node waits for; empty once it waits no more. Written by the thread.
    private volatile Optional<Step.Wait> waiting = Optional.of(new Step.Wait("This node looks around", ""));

    // Whether Ratis has the log open. Written by the thread.
    private volatile boolean isSettled;

    // The thread's alone.
    private final Map<String, RaftNodeConfig.Member> known = new TreeMap<>();
    private final long beganNanos = System.nanoTime();
    private Standing standing;
    private boolean hasOldData;
    private String lastWait = "";
    private long lastWaitSinceNanos;
    private boolean isLastWaitLogged;

    /**
     * Prepares for a node that runs without any part in the cluster.
     *
     * @param standing what it last knew of its part
     * @param hasOldData whether its folder holds anything of the cluster
     * @param stateMachine hears if the folder cannot be used
     */
    Bootstrap(
            RaftNodeConfig config,
            RaftServer server,
            CallIds calls,
            LockStateMachine stateMachine,
            Standing standing,
            boolean hasOldData) {
        this.config = config;
        this.server = server;
        this.calls = calls;
        this.probe = new Probe(config);
        this.stateMachine = stateMachine;
        this.admission = new Admission(config, standing);
        this.standing = standing;
        this.hasOldData = hasOldData;
        config.members().forEach(member -> known.put(member.nodeId(), member));
    }

    void start() {
        thread.start();
    }

    /** {@return what this node waits for; empty if it has its part} */
    Optional<String> waiting() {
        return waiting.map(Step.Wait::toString);
    }

    /** {@return whether Ratis has this node's log open} */
    boolean isOpen() {
        return isSettled;
    }

    private void run() {
        try {
            // Others may be waiting for this node's log to be open.
            StateStore.warmUp(config.folder());
            do {
                act(decide(look()));
            } while (waiting.isPresent() && !closed.await(pause().toMillis(), TimeUnit.MILLISECONDS));
        } catch (IOException | RuntimeException e) {
            if (closed.getCount() > 0) {
                LOG.error("Node {} cannot take its part in the cluster", config.nodeId(), e);
                stateMachine.fail(
                        "Node " + config.nodeId() + " cannot take its part in the cluster: " + StartChecks.reason(e));
            }
        } catch (InterruptedException e) {
            LOG.debug("Closed while looking for a part in the cluster");
        } finally {
            probe.close();
        }
    }

    private Duration pause() {
        return isSettled ? LOOK_EVERY_WHEN_SETTLED : LOOK_EVERY;
    }

    private Round look() {
        List<RaftNodeConfig.Member> others = known.values().stream()
                .filter(member -> !member.nodeId().equals(config.nodeId()))
                .toList();
        Round round = new Round(config.nodeId(), probe.look(others));
        // They may have moved since, or there may be more of them.
        round.informed().forEach(present -> present.members().forEach(it -> known.put(it.nodeId(), it)));
        return round;
    }

    private Step decide(Round round) {
        if (isSettled) {
            return leads() ? new Step.GoOn() : admission.afterSettling(standing, round);
        }
        if (!hasOldData) {
            return admission.beforeSettling(round);
        }
        Step step = admission.withData(round);
        boolean isOver = System.nanoTime() - beganNanos > DATA_PATIENCE.toNanos();
        return step instanceof Step.Wait && isOver ? new Step.Reopen() : step;
    }

    /** With data, it may be elected: then there is nobody else to ask. */
    private boolean leads() {
        try {
            return server.getDivision(RaftSettings.groupId(config)).getInfo().isLeaderReady();
        } catch (IOException e) {
            LOG.debug("Raft is closed", e);
            return false;
        }
    }

    private void act(Step step) throws IOException {
        switch (step) {
            case Step.Wait wait -> await(wait);
            case Step.Begin begin -> begin();
            case Step.Reopen reopen -> {
                Unsettled.of(config).bringBack();
                open(RaftSettings.noMembers(config));
            }
            case Step.Settle settle -> settle();
            case Step.AskToLeave ask -> leave(ask.leader());
            case Step.AskToJoin ask -> join(ask.leader());
            case Step.GoOn goOn -> goOn();
        }
    }

    private void await(Step.Wait wait) {
        waiting = Optional.of(wait);
        long now = System.nanoTime();
        if (!wait.what().equals(lastWait)) {
            lastWait = wait.what();
            lastWaitSinceNanos = now;
            isLastWaitLogged = false;
        }
        if (!isLastWaitLogged && now - lastWaitSinceNanos >= WORTH_A_WORD.toNanos()) {
            isLastWaitLogged = true;
            LOG.info("{}", wait);
        }
    }

    private void begin() throws IOException {
        LOG.info(
                "Node {} begins the new cluster {}, with all its {} members",
                config.nodeId(),
                config.cluster(),
                config.members().size());
        note(Standing.MEMBER);
        open(RaftSettings.group(config));
        waiting = Optional.empty();
    }

    private void settle() throws IOException {
        note(standing == Standing.REJOINING ? Standing.REJOINING : Standing.WAITING);
        if (hasOldData) {
            LOG.info("Node {} had not become a member when it was stopped: it begins anew", config.nodeId());
            Unsettled.of(config).delete();
            hasOldData = false;
        }
        open(RaftSettings.noMembers(config));
    }

    private void open(RaftGroup group) throws IOException {
        RaftClientReply reply = server.groupManagement(
                // With FORMAT it would refuse a folder that is there.
                GroupManagementRequest.newAdd(calls.clientId(), server.getId(), calls.next(), group, false));
        if (!reply.isSuccess()) {
            throw StartChecks.unusable(config, reply.getException());
        }
        isSettled = true;
    }

    private void leave(Sighting.Present leader) throws IOException {
        LOG.warn(
                "Node {} is a member of cluster {} and has no data: it asks {} to remove it, and to add it again",
                config.nodeId(),
                config.cluster(),
                leader.nodeId());
        note(Standing.REJOINING);
        ask(leader, others(leader.members()));
    }

    private void join(Sighting.Present leader) {
        LOG.info("Node {} asks {} to add it again", config.nodeId(), leader.nodeId());
        List<RaftNodeConfig.Member> after = others(leader.members());
        after.add(self());
        ask(leader, after);
    }

    private void ask(Sighting.Present leader, List<RaftNodeConfig.Member> after) {
        try {
            probe.change(leader.nodeId(), leader.members(), after, CHANGE_PATIENCE);
        } catch (IOException e) {
            await(new Step.Wait(
                    "This node waits to be added again: " + leader.nodeId() + " has not changed the members yet",
                    StartChecks.reason(e)));
        }
    }

    private void goOn() throws IOException {
        note(Standing.MEMBER);
        waiting = Optional.empty();
        LOG.info("Node {} is a member of cluster {} now", config.nodeId(), config.cluster());
    }

    private void note(Standing now) throws IOException {
        if (standing != now || now == Standing.MEMBER) {
            now.write(config.folder());
            standing = now;
        }
    }

    private List<RaftNodeConfig.Member> others(List<RaftNodeConfig.Member> members) {
        List<RaftNodeConfig.Member> others = new ArrayList<>(members);
        others.removeIf(member -> member.nodeId().equals(config.nodeId()));
        return others;
    }

    private RaftNodeConfig.Member self() {
        return config.members().stream()
                .filter(member -> member.nodeId().equals(config.nodeId()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }
}
