package io.holdfast.server.node;

import io.holdfast.server.grpc.Cluster;
import io.holdfast.server.grpc.OperationRefused;
import io.holdfast.server.grpc.OperationRefused.Why;
import io.holdfast.server.proposer.Unanswered;
import io.holdfast.statemachine.ratis.MembershipResult;
import io.holdfast.statemachine.ratis.MembershipResult.Done;
import io.holdfast.statemachine.ratis.MembershipResult.Refused;
import java.util.List;

/** What Raft says of a change of the members, in the words of the front door. */
final class MemberChange {
    private MemberChange() {}

    /**
     * Tells who the members are after a change.
     *
     * @throws OperationRefused if nothing was changed
     * @throws Unanswered if this node does not lead, or nothing is known of what became of it
     */
    static List<Cluster.Member> members(MembershipResult result) {
        return switch (result) {
            case Done done ->
                done.members().stream()
                        .map(it -> new Cluster.Member(it.nodeId(), it.clientAddress(), it.raftAddress()))
                        .toList();
            case Refused refused -> throw failure(refused);
        };
    }

    private static RuntimeException failure(Refused refused) {
        return switch (refused.reason()) {
            case NOT_LEADER -> new Unanswered(Unanswered.Why.NOT_LEADER, refused.why());
            case UNKNOWN -> new Unanswered(Unanswered.Why.OUTCOME_UNKNOWN, refused.why());
            case BUSY -> new OperationRefused(Why.CHANGE_UNDER_WAY, refused.why());
            case NO_ANSWER, NOT_WAITING, NOT_CAUGHT_UP, NO_MAJORITY ->
                new OperationRefused(Why.NOT_READY, refused.why());
            case UNKNOWN_MEMBER -> new OperationRefused(Why.NO_SUCH_MEMBER, refused.why());
            case ALREADY_MEMBER, ADDRESS_TAKEN -> new OperationRefused(Why.ALREADY_MEMBER, refused.why());
            case LAST_MEMBER -> new OperationRefused(Why.LAST_MEMBER, refused.why());
        };
    }
}
