package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.ratis.Sighting.Present;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What one look at all other nodes has shown.
 *
 * @param self the node that looked
 * @param sightings what it saw, by node id, in the order of the ids
 */
record Round(String self, Map<String, Sighting> sightings) {
    /** Copies the map. */
    Round {
        sightings = Collections.unmodifiableMap(new TreeMap<>(sightings));
    }

    /** {@return those that have a part in the cluster and know members} */
    Stream<Present> informed() {
        return sightings.values().stream()
                .filter(Present.class::isInstance)
                .map(Present.class::cast)
                .filter(present -> !present.members().isEmpty());
    }

    /** {@return one that leads, or believes so} */
    Optional<Present> leader() {
        return informed().filter(Present::leads).findFirst();
    }

    /** Whether anyone takes this node for a member, or did until the change that is under way. */
    boolean isListed() {
        return informed().anyMatch(present -> present.lists(self));
    }

    /**
     * Whether this node is certainly no member, by any configuration that may be committed: of every configuration that was seen, old ones of changes under way included, a majority has answered, and nobody lists this node.
     *
     * <p>Why that is enough: let D be the newest configuration that was seen. Had one after D been committed that lists this node, the first step away from D would have been acknowledged by a majority of D's members; one of them has answered, after it did so, and would have shown it. And D itself does not list it; if D is not committed yet, the step that led to it was, for it is only then that D is proposed: since then this node's vote decides nothing.
     *
     * <p>It stays so: nobody adds a node as a member that does not take entries, and this one takes none before it has settled.
     */
    boolean isCertainlyNoMember() {
        return informed().findAny().isPresent()
                && !isListed()
                && informed()
                        .flatMap(present -> Stream.of(present.members(), present.former()))
                        .allMatch(this::hasMajority);
    }

    private boolean hasMajority(List<RaftNodeConfig.Member> members) {
        long answered = members.stream()
                .filter(member -> sightings.get(member.nodeId()) instanceof Present present
                        && !present.members().isEmpty())
                .count();
        return members.isEmpty() || answered > members.size() / 2;
    }
}
