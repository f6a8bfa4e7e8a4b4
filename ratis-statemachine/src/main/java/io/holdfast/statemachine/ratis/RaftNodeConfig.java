package io.holdfast.statemachine.ratis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a node must know to take part in Raft.
 *
 * @param cluster name of the cluster; nodes of different clusters do not talk to each other
 * @param nodeId this node, one of the members
 * @param members all members
 * @param folder where the log lies
 * @param electionTimeoutMin a follower that hears nothing for this long (or up to the maximum, at random) stands for election
 * @param electionTimeoutMax see {@code electionTimeoutMin}; a leader that hears from no majority for this long steps down
 */
public record RaftNodeConfig(
        String cluster,
        String nodeId,
        List<Member> members,
        Path folder,
        Duration electionTimeoutMin,
        Duration electionTimeoutMax) {
    /** Copies the list. */
    public RaftNodeConfig {
        members = List.copyOf(members);
    }

    /**
     * A member of the cluster.
     *
     * @param nodeId its id
     * @param raftAddress host:port for Raft
     * @param clientAddress host:port for clients
     */
    public record Member(String nodeId, String raftAddress, String clientAddress) {}
}
