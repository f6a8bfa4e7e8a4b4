package io.holdfast.statemachine.ratis;

import java.util.List;
import java.util.stream.Stream;

/** What one look at another node's Raft port has shown. Things may have changed since. */
sealed interface Sighting {
    /**
     * It does not answer, or not in time, or not for this cluster: it may be anything.
     *
     * @param why what happened instead
     */
    record Silent(String why) implements Sighting {}

    /** It runs, and has no part in the cluster: it has never had one, or has lost its disk. */
    record Empty() implements Sighting {}

    /**
     * It has a part in the cluster, or waits for one.
     *
     * @param nodeId its id
     * @param members the members by the newest configuration it has, committed or not; none if it waits to be added
     * @param former the members before, while a change from these to those is under way; else none
     * @param hasLog whether it has anything in its log, or a snapshot
     * @param leads whether it leads, or believes so
     */
    record Present(
            String nodeId,
            List<RaftNodeConfig.Member> members,
            List<RaftNodeConfig.Member> former,
            boolean hasLog,
            boolean leads)
            implements Sighting {
        /** Copies the lists. */
        public Present {
            members = List.copyOf(members);
            former = List.copyOf(former);
        }

        /** Whether this node is a member by what it knows, or was until the change that is under way. */
        boolean lists(String id) {
            return Stream.concat(members.stream(), former.stream())
                    .anyMatch(member -> member.nodeId().equals(id));
        }

        /** Whether this node is a member by what it knows, and no change is under way. */
        boolean hasAsMember(String id) {
            return former.isEmpty() && lists(id);
        }
    }
}
