package io.holdfast.statemachine.ratis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a node must know to take part in Raft.
 *
 * @param cluster name of the cluster; nodes of different clusters do not talk to each other
 * @param nodeId this node, one of the members
 * @param members all members at the cluster's first start. From then on the log knows who they are
 * @param bindAddress host:port on which this node listens for Raft, if that is not where others reach it
 * @param folder where the log lies; of one process at a time
 * @param electionTimeoutMin a follower that hears nothing for this long (or up to the maximum, at random) stands for election
 * @param electionTimeoutMax see {@code electionTimeoutMin}; a leader that hears from no majority for this long steps down
 * @param diskReserveBytes space that should be left on the folder's disk; a leader with less hands over
 * @param snapshots when to take snapshots
 */
public record RaftNodeConfig(
        String cluster,
        String nodeId,
        List<Member> members,
        String bindAddress,
        Path folder,
        Duration electionTimeoutMin,
        Duration electionTimeoutMax,
        long diskReserveBytes,
        SnapshotPolicy snapshots) {
    /** Default of {@link #electionTimeoutMin}: failover within a second, and no false alarm on a busy machine of two cores. */
    public static final Duration DEFAULT_ELECTION_TIMEOUT_MIN = Duration.ofMillis(500);

    /** Default of {@link #electionTimeoutMax}. */
    public static final Duration DEFAULT_ELECTION_TIMEOUT_MAX = Duration.ofMillis(750);

    /** Copies the list. Refuses a node that is no member, ids and addresses that make no sense, and timeouts without a span: nodes that time out together elect nobody. */
    public RaftNodeConfig {
        members = List.copyOf(members);
        if (members.stream().map(Member::nodeId).distinct().count() < members.size()) {
            throw new IllegalArgumentException("two members have the same id: " + members);
        }
        self(members, nodeId);
        Member.requireAddress(nodeId, bindAddress);
        if (!electionTimeoutMin.isPositive() || electionTimeoutMax.compareTo(electionTimeoutMin) <= 0) {
            throw new IllegalArgumentException(
                    "election timeout of " + electionTimeoutMin + " to " + electionTimeoutMax);
        }
        if (diskReserveBytes < 0) {
            throw new IllegalArgumentException("a reserve of " + diskReserveBytes + " bytes");
        }
    }

    /**
     * Listens at its own Raft address, with the usual reserve of disk and the usual snapshots.
     *
     * @param cluster see the record
     * @param nodeId see the record
     * @param members see the record
     * @param folder see the record
     * @param electionTimeoutMin see the record
     * @param electionTimeoutMax see the record
     */
    public RaftNodeConfig(
            String cluster,
            String nodeId,
            List<Member> members,
            Path folder,
            Duration electionTimeoutMin,
            Duration electionTimeoutMax) {
        this(
                cluster,
                nodeId,
                members,
                self(members, nodeId).raftAddress(),
                folder,
                electionTimeoutMin,
                electionTimeoutMax,
                DiskState.DEFAULT_RESERVE_BYTES,
                SnapshotPolicy.DEFAULT);
    }

    /** {@return the host on which to listen} */
    String bindHost() {
        String host = bindAddress.substring(0, bindAddress.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host; // IPv6
    }

    /** {@return the port on which to listen} */
    int bindPort() {
        return Integer.parseInt(bindAddress.substring(bindAddress.lastIndexOf(':') + 1));
    }

    private static Member self(List<Member> members, String nodeId) {
        return members.stream()
                .filter(member -> member.nodeId().equals(nodeId))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("node " + nodeId + " is not a member"));
    }

    /**
     * A member of the cluster.
     *
     * @param nodeId its id
     * @param raftAddress host:port for Raft
     * @param clientAddress host:port for clients
     */
    public record Member(String nodeId, String raftAddress, String clientAddress) {
        /** Refuses an address that is no host:port. */
        public Member {
            requireAddress(nodeId, raftAddress);
            requireAddress(nodeId, clientAddress);
        }

        private static void requireAddress(String nodeId, String address) {
            if (!address.matches("(\\[[0-9A-Fa-f:.%]+]|[^:/\\s]+):[1-9][0-9]{0,4}")) {
                throw new IllegalArgumentException("address of node " + nodeId + " is no host:port: " + address);
            }
        }
    }
}
