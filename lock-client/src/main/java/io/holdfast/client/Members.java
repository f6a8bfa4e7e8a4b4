package io.holdfast.client;

import java.util.List;
import java.util.Optional;

/**
 * The members of the cluster, as its leader knows them.
 *
 * @param members in order of id
 * @param leader the id of the one that leads, if it said so
 * @param term its term
 */
public record Members(List<MemberInfo> members, Optional<String> leader, long term) {
    /** Copies the list. */
    public Members {
        members = List.copyOf(members);
    }

    /**
     * Looks for a member.
     *
     * @param id its node id
     * @return the member, if it is one
     */
    public Optional<MemberInfo> member(String id) {
        return members.stream().filter(it -> it.id().equals(id)).findFirst();
    }
}
