package io.holdfast.statemachine.ratis;

import java.util.List;

/** What became of a wish to change who the members are. */
public sealed interface MembershipResult {
    /**
     * It is done, and committed.
     *
     * @param members the members from now on, by id
     */
    record Done(List<RaftNodeConfig.Member> members) implements MembershipResult {
        /** Copies the list. */
        public Done {
            members = List.copyOf(members);
        }
    }

    /**
     * It was not done; with {@link Reason#UNKNOWN}, perhaps not yet.
     *
     * @param reason why
     * @param why the same for people, as a sentence without a full stop
     */
    record Refused(Reason reason, String why) implements MembershipResult {}

    /** Why nothing was changed. */
    enum Reason {
        /** This node does not lead: the leader can do it. */
        NOT_LEADER,
        /** Another change is under way, or came in between: it may be repeated when that is done. */
        BUSY,
        /** The new node's Raft port does not answer. */
        NO_ANSWER,
        /** The new node answers, and does not wait to be added to this cluster. */
        NOT_WAITING,
        /** The new node answers, and did not catch up: it may be repeated. */
        NOT_CAUGHT_UP,
        /** There is no such member. */
        UNKNOWN_MEMBER,
        /** It is a member already. */
        ALREADY_MEMBER,
        /** Another member has that address. */
        ADDRESS_TAKEN,
        /** Too few of the members would be alive then: nothing could be decided any more. */
        NO_MAJORITY,
        /** It is the only member. */
        LAST_MEMBER,
        /** It was begun, and its end was not seen: look at the members later. */
        UNKNOWN
    }
}
