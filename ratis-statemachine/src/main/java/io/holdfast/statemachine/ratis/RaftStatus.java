package io.holdfast.statemachine.ratis;

import java.util.List;
import java.util.Optional;

/**
 * Raft as this node sees it now.
 *
 * @param role what this node is
 * @param term the current term
 * @param leaderId the leader, if one is known
 * @param isLeaderReady whether this node leads and has applied all entries of earlier terms
 * @param appliedIndex the last log index applied here, configuration entries included; −1 before the first
 * @param commitIndex the last log index known to be committed
 * @param members the members by the latest configuration
 */
public record RaftStatus(
        Role role,
        long term,
        Optional<String> leaderId,
        boolean isLeaderReady,
        long appliedIndex,
        long commitIndex,
        List<RaftNodeConfig.Member> members) {
    /** Copies the list. */
    public RaftStatus {
        members = List.copyOf(members);
    }

    /** What a node is in its term. */
    public enum Role {
        /** It leads. */
        LEADER,
        /** It follows. */
        FOLLOWER,
        /** It stands for election, or is starting. */
        CANDIDATE
    }
}
