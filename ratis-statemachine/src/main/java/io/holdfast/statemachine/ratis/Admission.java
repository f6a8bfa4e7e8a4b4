package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.ratis.Sighting.Empty;
import io.holdfast.statemachine.ratis.Sighting.Present;
import io.holdfast.statemachine.ratis.Sighting.Silent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decides, look by look, how a node without data comes to its part in the cluster. It may be one of a new cluster, may have lost its disk, or may be there to be added; and until it knows, it neither votes nor confirms an entry, for it may have forgotten what it voted and confirmed. Remembers what was seen since this process began; no I/O. Owned by one thread.
 *
 * <p><b>First start</b>: a node begins a new cluster, with the members it is configured with, once it has seen each of the others <em>blank</em>, and none with data. Blank is who runs without a part in the cluster, and also who has begun this very cluster and has an empty log: so it does not matter who decides first. Why all come to the same decision: nobody has anything in its log before there is a leader, and there is none before a majority has begun; whoever is late until then finds the others with data that name it as a member, goes the way of a node that lost its disk, and that majority lets it in. So a new cluster starts with all its members, or with a majority that the others join, or, while one of them has not been seen, not at all.
 *
 * <p>Why that is safe: had this node, in an earlier life, confirmed an entry that was committed, whoever led then would have had it before, and would not be blank now unless it had lost its disk as well. What remains is a cluster that loses the disks of a majority; if all of them, it is taken for a new one. (A forgotten vote could only matter if it was still under way when this node, started again on an empty disk, already looked around.)
 *
 * <p><b>A disk that was lost</b>: others have data and list this node. It asks the leader to remove it, and settles once it is {@linkplain Round#isCertainlyNoMember certainly no member}; then it asks to be added again. The remaining members hold all that was committed by then, since the removal was committed without this node's vote counting for it.
 *
 * <p><b>Not added yet</b>: others have data, and it is certainly no member: it settles, and waits.
 *
 * <p>A node has <em>settled</em> when it has the cluster's Raft group, without members: it takes entries from a leader that adds it.
 */
final class Admission {
    private final RaftNodeConfig config;
    private final Set<String> others;
    private final Set<String> configured;
    private final Set<String> seenBlank = new TreeSet<>();
    private boolean isClusterSeen;

    /** What to do next. */
    sealed interface Step {
        /** Begin the new cluster. */
        record Begin() implements Step {}

        /** Go on with the data there is. */
        record Reopen() implements Step {}

        /** Take entries from whoever adds this node; what data there is goes. */
        record Settle() implements Step {}

        /**
         * Ask to be removed.
         *
         * @param leader whom to ask
         */
        record AskToLeave(Present leader) implements Step {}

        /**
         * Ask to be added.
         *
         * @param leader whom to ask
         */
        record AskToJoin(Present leader) implements Step {}

        /** Go on as a member. */
        record GoOn() implements Step {}

        /**
         * Look again later.
         *
         * @param what what this node waits for, as a sentence without a full stop
         * @param details about single nodes; may be empty
         */
        record Wait(String what, String details) implements Step {
            @Override
            public String toString() {
                return details.isEmpty() ? what : what + " (" + details + ")";
            }
        }
    }

    /**
     * Has seen nobody yet.
     *
     * @param standing what this node last knew of its part
     */
    Admission(RaftNodeConfig config, Standing standing) {
        this.config = config;
        // Whoever waits to be added has seen a cluster once, though its configuration may name nobody any more.
        this.isClusterSeen = standing != Standing.MEMBER;
        this.configured = config.members().stream()
                .map(RaftNodeConfig.Member::nodeId)
                .collect(Collectors.toCollection(TreeSet::new));
        this.others = new TreeSet<>(configured);
        others.remove(config.nodeId());
    }

    /** Decides for a node that has not settled. */
    Step beforeSettling(Round round) {
        remember(round);
        if (!isClusterSeen && seenBlank.containsAll(others)) {
            return new Step.Begin();
        }
        if (!isClusterSeen) {
            return waitForOthers(round);
        }
        if (round.isListed()) {
            return round.leader()
                    .filter(leader -> leader.hasAsMember(config.nodeId()))
                    .<Step>map(Step.AskToLeave::new)
                    .orElseGet(() -> new Step.Wait(
                            "This node has no data, though it is a member: it waits for a leader, to be removed and added again",
                            details(round)));
        }
        return round.isCertainlyNoMember()
                ? new Step.Settle()
                : new Step.Wait(
                        "This node has no data, and cannot tell yet whether it is a member: it waits for a majority of the members to answer",
                        details(round));
    }

    /** Decides for a node that had not settled for good when it was stopped, and may have become a member just then. Whatever it has, it forgot nothing; but what it has of a cluster that it is no member of is in the way. */
    Step withData(Round round) {
        if (round.isListed()) {
            return new Step.Reopen();
        }
        return round.isCertainlyNoMember()
                ? new Step.Settle()
                : new Step.Wait("This node looks whether it has become a member", details(round));
    }

    /** Decides for a node that has settled. */
    Step afterSettling(Standing standing, Round round) {
        boolean asks = standing == Standing.REJOINING;
        if (round.leader().isEmpty()) {
            return new Step.Wait("This node waits for a leader, to be added" + (asks ? " again" : ""), details(round));
        }
        Present leader = round.leader().get();
        if (leader.hasAsMember(config.nodeId())) {
            return new Step.GoOn();
        }
        if (leader.lists(config.nodeId())) {
            return new Step.Wait("This node is being added", "");
        }
        return asks
                ? new Step.AskToJoin(leader)
                : new Step.Wait(
                        "This node is no member of cluster " + config.cluster() + " yet: it waits to be added by "
                                + command(),
                        "");
    }

    private String command() {
        RaftNodeConfig.Member self = config.members().stream()
                .filter(member -> member.nodeId().equals(config.nodeId()))
                .findFirst()
                .orElseThrow();
        return "holdfast cluster add " + self.nodeId() + " --client " + self.clientAddress() + " --raft "
                + self.raftAddress();
    }

    private void remember(Round round) {
        round.sightings().forEach((nodeId, sighting) -> {
            switch (sighting) {
                case Empty empty -> seenBlank.add(nodeId);
                case Present present when present.hasLog() || present.members().isEmpty() -> isClusterSeen = true;
                case Present present when hasOurMembers(present) -> seenBlank.add(nodeId);
                case Present present -> {} // it begins another cluster than this node would
                case Silent silent -> {}
            }
        });
    }

    private boolean hasOurMembers(Present present) {
        return present.former().isEmpty() && ids(present).equals(configured);
    }

    private static Set<String> ids(Present present) {
        return present.members().stream()
                .map(RaftNodeConfig.Member::nodeId)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Step.Wait waitForOthers(Round round) {
        Set<String> missing = new TreeSet<>(others);
        missing.removeAll(seenBlank);
        return new Step.Wait(
                "This node has no data: it waits to see all members of a new cluster, or some of a running one; missing: "
                        + String.join(", ", missing),
                details(round));
    }

    private String details(Round round) {
        List<String> details = new ArrayList<>();
        round.sightings().forEach((nodeId, sighting) -> {
            switch (sighting) {
                case Silent silent -> details.add(nodeId + " does not answer: " + silent.why());
                case Present present
                when !present.hasLog() && !present.members().isEmpty() && !hasOurMembers(present) ->
                    details.add(nodeId + " begins a cluster of " + String.join(", ", ids(present))
                            + ", which is not what this node is configured with");
                case Present present -> {}
                case Empty empty -> {}
            }
        });
        return String.join("; ", details);
    }
}
