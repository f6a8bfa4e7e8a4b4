package io.holdfast.server.grpc;

import java.util.List;
import java.util.Optional;

/** The cluster, as this node sees it now: a port that the node fills, and a fake in tests. Must be quick. */
public interface Cluster {
    /** {@return whether this node leads and takes commands} */
    boolean isLeading();

    /** {@return how things stand} */
    View view();

    /**
     * How things stand. Proves nothing: a deposed leader may not know it yet.
     *
     * @param role what this node is
     * @param term the current term
     * @param leaderId the leader, if one is known
     * @param isLeaderReady whether this node leads and has applied all entries of earlier terms
     * @param members the members of the cluster
     * @param waiting what this node waits for before it has its part in the cluster, in words; empty if it has its part
     */
    record View(
            Role role,
            long term,
            Optional<String> leaderId,
            boolean isLeaderReady,
            List<Member> members,
            Optional<String> waiting) {
        /** Copies the list. */
        public View {
            members = List.copyOf(members);
        }

        /** {@return the leader as a member, if it is known} */
        public Optional<Member> leader() {
            return leaderId.flatMap(id ->
                    members.stream().filter(member -> member.id().equals(id)).findFirst());
        }
    }

    /** What a node is in its term. */
    enum Role {
        /** It leads. */
        LEADER,
        /** It follows. */
        FOLLOWER,
        /** It stands for election, or is starting. */
        CANDIDATE
    }

    /**
     * A member.
     *
     * @param id its node id
     * @param endpoint host:port for clients
     * @param raftAddress host:port for Raft
     */
    record Member(String id, String endpoint, String raftAddress) {}
}
