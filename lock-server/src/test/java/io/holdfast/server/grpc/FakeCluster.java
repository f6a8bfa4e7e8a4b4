package io.holdfast.server.grpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A cluster as the test wants one node to see it. Thread safe. */
final class FakeCluster implements Cluster {
    private final String nodeId;
    private final List<Member> members = new ArrayList<>();
    private Optional<String> leaderId = Optional.empty();
    private Optional<String> waiting = Optional.empty();

    FakeCluster(String nodeId) {
        this.nodeId = nodeId;
    }

    synchronized void add(Member member) {
        members.add(member);
    }

    synchronized void isLedBy(String id) {
        leaderId = Optional.of(id);
    }

    synchronized void hasNoLeader() {
        leaderId = Optional.empty();
    }

    synchronized void waitsFor(String what) {
        waiting = Optional.of(what);
    }

    @Override
    public synchronized boolean isLeading() {
        return leaderId.filter(nodeId::equals).isPresent();
    }

    @Override
    public synchronized View view() {
        return new View(isLeading() ? Role.LEADER : Role.FOLLOWER, 7, leaderId, isLeading(), members, waiting);
    }
}
