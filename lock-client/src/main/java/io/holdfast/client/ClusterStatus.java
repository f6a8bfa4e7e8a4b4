package io.holdfast.client;

import java.util.List;
import java.util.Optional;

/**
 * The cluster, put together from what its members say of themselves.
 *
 * @param cluster its name; empty if no member could be reached
 * @param leader the id of the leader, if one is known and ready
 * @param term the greatest term that a member knows
 * @param nodes its members, in order of id
 */
public record ClusterStatus(String cluster, Optional<String> leader, long term, List<Node> nodes) {
    /** Copies the list. */
    public ClusterStatus {
        nodes = List.copyOf(nodes);
    }

    /**
     * One member.
     *
     * @param id its id; the endpoint if it could not be reached and nobody knows its id
     * @param endpoint host:port for clients
     * @param role LEADER, FOLLOWER or CANDIDATE; UNKNOWN if it could not be reached
     * @param isReachable whether it answered
     * @param appliedIndex the last log index that it has applied; −1 if it could not be reached
     * @param digest fingerprint of its state: equal on nodes with the same applied index; empty if it could not be reached, or has too many leases to make one without being held up
     * @param leases how many leases live in its state
     * @param version the version of its software
     * @param featureLevel the feature level of its state, ≥ 1; 0 if it could not be reached
     * @param featureLevelKnown the highest feature level that it knows and allows; 0 if it could not be reached
     * @param waiting what it waits for before it has its part in the cluster, in words; empty if it has its part
     */
    public record Node(
            String id,
            String endpoint,
            String role,
            boolean isReachable,
            long appliedIndex,
            String digest,
            long leases,
            String version,
            int featureLevel,
            int featureLevelKnown,
            String waiting) {}
}
