package io.holdfast.statemachine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.statemachine.ratis.Admission.Step;
import io.holdfast.statemachine.ratis.Sighting.Empty;
import io.holdfast.statemachine.ratis.Sighting.Present;
import io.holdfast.statemachine.ratis.Sighting.Silent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What n1, of n1, n2 and n3, makes of what it sees of the others. */
class AdmissionTest {
    private static final Sighting EMPTY = new Empty();
    private static final Sighting SILENT = new Silent("Connection refused");

    private final Admission admission = new Admission(config(), Standing.MEMBER);

    @Test
    void a_new_cluster_begins_when_all_others_were_seen_without_data_not_all_at_once() {
        assertThat(before(SILENT, EMPTY)).isInstanceOfSatisfying(Step.Wait.class, wait -> {
            assertThat(wait.what()).endsWith("missing: n2");
            assertThat(wait.details()).isEqualTo("n2 does not answer: Connection refused");
        });
        assertThat(before(EMPTY, SILENT)).isInstanceOf(Step.Begin.class);
    }

    @Test
    void who_has_begun_the_same_cluster_and_has_an_empty_log_is_as_good_as_empty() {
        assertThat(before(begun("n2"), EMPTY)).isInstanceOf(Step.Begin.class);
    }

    @Test
    void one_with_data_is_enough_not_to_begin_even_if_it_goes_silent_again() {
        assertThat(before(EMPTY, leader("n3", "n1", "n2", "n3"))).isInstanceOf(Step.AskToLeave.class);
        assertThat(before(begun("n2"), EMPTY)).isInstanceOf(Step.Wait.class);
        assertThat(before(EMPTY, SILENT)).isInstanceOf(Step.Wait.class);
    }

    @Test
    void who_waits_to_be_added_has_seen_a_cluster_so_there_is_one() {
        assertThat(before(EMPTY, new Present("n3", List.of(), List.of(), false, false)))
                .isInstanceOf(Step.Wait.class);
        assertThat(new Admission(config(), Standing.WAITING).beforeSettling(round(EMPTY, EMPTY)))
                .isInstanceOf(Step.Wait.class);
    }

    @Test
    void a_cluster_with_other_members_is_not_joined_by_mistake() {
        Present other = new Present("n2", members("n2", "n4"), List.of(), false, false);

        assertThat(before(other, EMPTY))
                .isInstanceOfSatisfying(
                        Step.Wait.class,
                        wait -> assertThat(wait.details())
                                .contains("n2 begins a cluster of n2, n4, which is not what this node"));
    }

    @Test
    void a_member_that_lost_its_data_asks_the_leader_and_waits_without_one() {
        Present follower = follower("n2", "n1", "n2", "n3");
        Present leader = leader("n3", "n1", "n2", "n3");

        assertThat(before(follower, SILENT))
                .isInstanceOfSatisfying(
                        Step.Wait.class,
                        wait -> assertThat(wait.what()).contains("though it is a member: it waits for a leader"));
        assertThat(before(follower, leader)).isEqualTo(new Step.AskToLeave(leader));
    }

    @Test
    void it_settles_once_its_removal_is_certain_and_no_sooner() {
        Present leaving = new Present("n3", members("n2", "n3"), members("n1", "n2", "n3"), true, true);
        Present leader = leader("n3", "n2", "n3");

        assertThat(before(follower("n2", "n1", "n2", "n3"), leaving)).isInstanceOf(Step.Wait.class);
        assertThat(before(SILENT, leader)).isInstanceOf(Step.Wait.class);
        assertThat(before(follower("n2", "n1", "n2", "n3"), leader)).isInstanceOf(Step.Wait.class);
        assertThat(before(follower("n2", "n2", "n3"), leader)).isInstanceOf(Step.Settle.class);
    }

    @Test
    void a_majority_of_each_configuration_must_have_answered() {
        // n4 and n5 may know of a later one, which lists n1.
        assertThat(before(follower("n2", "n2", "n3", "n4", "n5"), leader("n3", "n2", "n3", "n4", "n5")))
                .isInstanceOf(Step.Wait.class);
        assertThat(before(follower("n2", "n2"), follower("n3", "n3", "n4"))).isInstanceOf(Step.Wait.class);
        assertThat(before(follower("n2", "n2"), follower("n3", "n2", "n3"))).isInstanceOf(Step.Settle.class);
    }

    @Test
    void who_has_settled_asks_to_join_again_only_if_it_was_a_member() {
        Present leader = leader("n3", "n2", "n3");
        Round round = round(follower("n2", "n2", "n3"), leader);

        assertThat(admission.afterSettling(Standing.REJOINING, round)).isEqualTo(new Step.AskToJoin(leader));
        assertThat(admission.afterSettling(Standing.WAITING, round))
                .isInstanceOfSatisfying(
                        Step.Wait.class,
                        wait -> assertThat(wait.what())
                                .endsWith(": it waits to be added by holdfast cluster add n1 --client n1:7400"
                                        + " --raft n1:7401"));
        assertThat(admission.afterSettling(Standing.REJOINING, round(follower("n2", "n2", "n3"), SILENT)))
                .isInstanceOf(Step.Wait.class);
    }

    @Test
    void who_has_settled_goes_on_once_the_leader_has_it_as_a_member() {
        Present adding = new Present("n3", members("n1", "n2", "n3"), members("n2", "n3"), true, true);
        Present leader = leader("n3", "n1", "n2", "n3");

        assertThat(admission.afterSettling(Standing.WAITING, round(SILENT, adding)))
                .isInstanceOf(Step.Wait.class);
        assertThat(admission.afterSettling(Standing.WAITING, round(SILENT, leader)))
                .isInstanceOf(Step.GoOn.class);
    }

    @Test
    void what_was_taken_in_before_a_restart_is_kept_unless_this_node_is_certainly_no_member() {
        assertThat(admission.withData(round(SILENT, follower("n3", "n1", "n3"))))
                .isInstanceOf(Step.Reopen.class);
        assertThat(admission.withData(round(SILENT, SILENT))).isInstanceOf(Step.Wait.class);
        assertThat(admission.withData(round(SILENT, follower("n3", "n3")))).isInstanceOf(Step.Settle.class);
    }

    private Step before(Sighting n2, Sighting n3) {
        return admission.beforeSettling(round(n2, n3));
    }

    private static Round round(Sighting n2, Sighting n3) {
        return new Round("n1", Map.of("n2", n2, "n3", n3));
    }

    private static Present begun(String id) {
        return new Present(id, members("n3", "n2", "n1"), List.of(), false, false);
    }

    private static Present follower(String id, String... members) {
        return new Present(id, members(members), List.of(), true, false);
    }

    private static Present leader(String id, String... members) {
        return new Present(id, members(members), List.of(), true, true);
    }

    private static List<RaftNodeConfig.Member> members(String... ids) {
        return Stream.of(ids)
                .map(id -> new RaftNodeConfig.Member(id, id + ":7401", id + ":7400"))
                .toList();
    }

    private static RaftNodeConfig config() {
        return Replicas.config("test", "n1", members("n1", "n2", "n3"), Path.of("nowhere"));
    }
}
