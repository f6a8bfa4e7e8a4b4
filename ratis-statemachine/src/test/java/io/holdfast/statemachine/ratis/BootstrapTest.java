package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.PATIENCE;
import static io.holdfast.statemachine.ratis.Replicas.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.statemachine.ratis.Replicas.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How nodes come to their part in a cluster, and how they learn that they have lost it. */
@Tag("faults")
class BootstrapTest {
    @TempDir
    Path folder;

    private final List<Replicas> clusters = new ArrayList<>();

    @AfterEach
    void stop() {
        clusters.forEach(Replicas::close);
    }

    @Test
    void a_new_cluster_begins_when_all_its_members_run_and_not_before() throws IOException {
        Replicas replicas = of(3);

        replicas.start("n1");
        replicas.start("n2");
        replicas.awaitWaiting("n1", "missing: n3 (n3 does not answer: Connection refused");
        replicas.awaitWaiting("n2", "missing: n3");
        replicas.start("n3");

        replicas.commit(acquire("a", "x"));
        replicas.agreement();
        assertThat(replicas.all()).allSatisfy(replica -> {
            assertThat(replica.node().waiting()).isEmpty();
            assertThat(replica.node().members()).hasSize(3);
        });
    }

    @Test
    void a_member_that_lost_its_disk_comes_back_by_itself_with_the_same_state() throws IOException {
        Replicas replicas = of(3);
        replicas.startAll();
        replicas.commit(acquire("a", "x"));
        Replica lost = replicas.followers().get(0);
        replicas.stop(lost);
        replicas.wipe(lost.id());

        replicas.start(lost.id());
        replicas.commit(acquire("b", "x"));

        await().atMost(PATIENCE)
                .until(() -> replicas.get(lost.id()).node().waiting().isEmpty());
        replicas.agreement();
        assertThat(replicas.leader().node().members()).hasSize(3);
        assertThat(replicas.get(lost.id()).recorder().fatal).isEmpty();
    }

    /** One of the two others was away when the entry was committed: with a vote of the node that forgot it, it would lead without it. */
    @Test
    void a_member_that_lost_its_disk_does_not_vote_for_one_that_is_behind() throws IOException {
        Replicas replicas = of(3);
        replicas.startAll();
        replicas.commit(acquire("z", "x"));
        replicas.agreement();
        Replica leader = replicas.leader();
        Replica behind = replicas.followers().get(0);
        Replica lost = replicas.followers().get(1);
        replicas.stop(behind);
        replicas.commit(acquire("a", "x"));
        replicas.stopAll();
        replicas.wipe(lost.id());

        replicas.start(lost.id());
        replicas.start(behind.id());
        replicas.awaitWaiting(lost.id(), "though it is a member: it waits for a leader");
        assertThat(replicas.all()).noneMatch(replica -> replica.recorder().leads());
        replicas.start(leader.id());

        await().atMost(PATIENCE)
                .until(() -> replicas.get(lost.id()).node().waiting().isEmpty());
        replicas.agreement();
        assertThat(replicas.all())
                .allSatisfy(replica -> assertThat(replica.tokenOf("a")).isPresent());
    }

    @Test
    void a_member_that_is_removed_says_so_and_stops_for_good() throws IOException {
        Replicas replicas = of(3);
        replicas.startAll();
        Replica removed = replicas.followers().get(0);

        assertThat(replicas.leader().node().removeMember(removed.id(), PATIENCE))
                .isInstanceOf(MembershipResult.Done.class);

        assertSaysThatItWasRemoved(removed);
        replicas.stop(removed);
        assertThatThrownBy(() -> replicas.start(removed.id()))
                .isInstanceOf(RemovedException.class)
                .hasMessageStartingWith("Node " + removed.id() + " was removed from cluster test. ");
    }

    @Test
    void a_member_that_was_removed_while_it_was_down_says_so_when_it_is_back() throws IOException {
        Replicas replicas = of(3);
        replicas.startAll();
        replicas.commit(acquire("z", "x"));
        replicas.agreement();
        Replica removed = replicas.followers().get(0);
        replicas.stop(removed);
        assertThat(replicas.leader().node().removeMember(removed.id(), PATIENCE))
                .isInstanceOf(MembershipResult.Done.class);

        assertSaysThatItWasRemoved(replicas.start(removed.id()));

        // With its data out of the way it may come back.
        replicas.stop(replicas.get(removed.id()));
        replicas.wipe(removed.id());
        replicas.start(removed.id());
        replicas.awaitWaiting(removed.id(), "it waits to be added");
        assertThat(replicas.leader().node().addMember(replicas.member(removed.id()), PATIENCE))
                .isInstanceOf(MembershipResult.Done.class);
        await().atMost(PATIENCE)
                .until(() -> replicas.get(removed.id()).node().waiting().isEmpty());
        replicas.agreement();
    }

    private static void assertSaysThatItWasRemoved(Replica removed) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            removed.node().poll();
            assertThat(removed.recorder().fatal)
                    .singleElement()
                    .asString()
                    .startsWith("This node was removed from cluster test: node " + removed.id());
        });
    }

    private Replicas of(int size) {
        Replicas replicas = Replicas.of(folder, size);
        clusters.add(replicas);
        return replicas;
    }
}
