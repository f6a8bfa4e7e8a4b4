package io.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.grpc.Cluster;
import io.holdfast.server.grpc.OperationRefused;
import io.holdfast.server.proposer.Unanswered;
import io.holdfast.statemachine.ratis.MembershipResult;
import io.holdfast.statemachine.ratis.MembershipResult.Reason;
import io.holdfast.statemachine.ratis.RaftNodeConfig;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Raft says of a change of the members, as operators are told. */
class MemberChangeTest {
    @Test
    void the_members_after_the_change_are_told() {
        assertThat(MemberChange.members(
                        new MembershipResult.Done(List.of(new RaftNodeConfig.Member("n1", "a:1", "b:2")))))
                .containsExactly(new Cluster.Member("n1", "b:2", "a:1"));
    }

    @ParameterizedTest
    @CsvSource({
        "BUSY, CHANGE_UNDER_WAY",
        "NO_ANSWER, NOT_READY",
        "NOT_WAITING, NOT_READY",
        "NOT_CAUGHT_UP, NOT_READY",
        "NO_MAJORITY, NOT_READY",
        "UNKNOWN_MEMBER, NO_SUCH_MEMBER",
        "ALREADY_MEMBER, ALREADY_MEMBER",
        "ADDRESS_TAKEN, ALREADY_MEMBER",
        "LAST_MEMBER, LAST_MEMBER"
    })
    void a_refusal_has_had_no_effect_and_says_why(Reason reason, OperationRefused.Why why) {
        assertThatThrownBy(() -> MemberChange.members(new MembershipResult.Refused(reason, "because")))
                .isInstanceOfSatisfying(
                        OperationRefused.class,
                        refused -> assertThat(refused.why()).isEqualTo(why))
                .hasMessage("because");
    }

    @ParameterizedTest
    @CsvSource({"NOT_LEADER, NOT_LEADER", "UNKNOWN, OUTCOME_UNKNOWN"})
    void what_another_node_may_do_or_has_done_is_no_refusal(Reason reason, Unanswered.Why why) {
        assertThatThrownBy(() -> MemberChange.members(new MembershipResult.Refused(reason, "because")))
                .isInstanceOfSatisfying(
                        Unanswered.class,
                        unanswered -> assertThat(unanswered.why()).isEqualTo(why));
    }
}
