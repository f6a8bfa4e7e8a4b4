package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.PATIENCE;
import static io.holdfast.statemachine.ratis.Replicas.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.statemachine.ratis.MembershipResult.Done;
import io.holdfast.statemachine.ratis.MembershipResult.Reason;
import io.holdfast.statemachine.ratis.MembershipResult.Refused;
import io.holdfast.statemachine.ratis.Replicas.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members come and go. */
@Tag("faults")
class MembersTest {
    @TempDir
    Path folder;

    // Not the common pool: on a machine of two cores it has one thread, and Ratis answers probes on it.
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    private final List<Replicas> clusters = new ArrayList<>();

    @AfterEach
    void stop() {
        clusters.forEach(Replicas::close);
    }

    @Test
    void a_cluster_grows_from_one_to_five_and_shrinks_to_three_under_writes() throws Exception {
        Replicas replicas = start(1);
        replicas.leader();
        AtomicBoolean isEnough = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(
                () -> {
                    while (!isEnough.get()) {
                        replicas.commit(acquire("lock-" + written.incrementAndGet(), "x"));
                    }
                },
                THREADS);

        for (String id : List.of("n2", "n3", "n4", "n5")) {
            RaftNodeConfig.Member added = replicas.startNew(id);
            assertDone(replicas.leader().node().addMember(added, PATIENCE));
            assertThat(replicas.leader().node().members()).contains(added);
            writeSome(written);
        }
        assertThat(replicas.leader().node().members()).hasSize(5);
        removeFollower(replicas);
        writeSome(written);
        removeLeader(replicas);
        writeSome(written);

        assertThat(replicas.leader().node().members()).hasSize(3);
        isEnough.set(true);
        writing.join();
        replicas.agreement();
        assertThat(replicas.all()).hasSize(3).allSatisfy(replica -> {
            assertThat(replica.recorder().fatal).isEmpty();
            assertThat(replica.recorder().entries).hasSize(written.get());
        });
    }

    private static void removeFollower(Replicas replicas) throws IOException {
        Replica removed = replicas.followers().get(0);
        assertDone(replicas.leader().node().removeMember(removed.id(), PATIENCE));
        replicas.stop(removed);
    }

    private static void removeLeader(Replicas replicas) throws IOException {
        Replica removed = replicas.leader();
        refused(removed.node().removeMember(removed.id(), PATIENCE), Reason.NOT_LEADER, "leads: leadership must be");
        assertThat(removed.node().transferLeadership(PATIENCE)).isTrue();
        await().atMost(PATIENCE).until(() -> !replicas.leader().id().equals(removed.id()));
        assertDone(replicas.leader().node().removeMember(removed.id(), PATIENCE));
        replicas.stop(removed);
    }

    private static void writeSome(AtomicInteger written) {
        int before = written.get();
        await().atMost(PATIENCE).until(() -> written.get() > before + 5);
    }

    @Test
    void a_member_that_was_added_finds_its_part_again_after_a_restart() throws IOException {
        Replicas replicas = start(1);
        RaftNodeConfig.Member added = replicas.startNew("n2");
        assertDone(replicas.leader().node().addMember(added, PATIENCE));
        replicas.commit(acquire("a", "x"));
        replicas.agreement();
        replicas.stopAll();

        replicas.startAll();
        replicas.commit(acquire("b", "x"));

        replicas.agreement();
        assertThat(replicas.get("n2").node().members()).hasSize(2);
    }

    @Test
    void a_member_that_was_stopped_before_it_noted_that_it_is_one_finds_out() throws IOException {
        Replicas replicas = start(1);
        RaftNodeConfig.Member added = replicas.startNew("n2");
        assertDone(replicas.leader().node().addMember(added, PATIENCE));
        replicas.commit(acquire("a", "x"));
        replicas.agreement();
        replicas.stopAll();
        Standing.WAITING.write(replicas.config("n2").folder());

        // Nothing goes without it.
        replicas.startAll();
        replicas.commit(acquire("b", "x"));

        replicas.agreement();
        await().atMost(PATIENCE).until(() -> replicas.get("n2").node().waiting().isEmpty());
        assertThat(Standing.read(replicas.config("n2").folder())).contains(Standing.MEMBER);
    }

    @Test
    void a_node_that_was_stopped_while_it_waited_still_waits_after_a_restart() throws IOException {
        Replicas replicas = start(1);
        RaftNodeConfig.Member added = replicas.startNew("n2");
        replicas.stop(replicas.get("n2"));

        replicas.start("n2");

        replicas.awaitWaiting("n2", "it waits to be added");
        assertThat(replicas.get("n2").node().members()).isEmpty();
        assertDone(replicas.leader().node().addMember(added, PATIENCE));
        replicas.commit(acquire("a", "x"));
        replicas.agreement();
    }

    @Test
    void what_cannot_go_well_is_refused_at_once() throws IOException {
        Replicas replicas = start(2);
        Replica leader = replicas.leader();
        RaftNode node = leader.node();
        RaftNodeConfig.Member n1 = replicas.member("n1");

        RaftNode follower = replicas.followers().get(0).node();
        refused(follower.addMember(n1, PATIENCE), Reason.NOT_LEADER, "does not lead");
        refused(follower.removeMember("n1", PATIENCE), Reason.NOT_LEADER, "does not lead");
        refused(node.removeMember("n9", PATIENCE), Reason.UNKNOWN_MEMBER, "there is no member n9");
        refused(node.addMember(n1, PATIENCE), Reason.ALREADY_MEMBER, "node n1 is a member already");
        refused(
                node.addMember(new RaftNodeConfig.Member("n1", "a:1", "a:2"), PATIENCE),
                Reason.ALREADY_MEMBER,
                "remove it first");
        refused(
                node.addMember(new RaftNodeConfig.Member("n4", n1.raftAddress(), "a:2"), PATIENCE),
                Reason.ADDRESS_TAKEN,
                "node n1 has one of these addresses");
        RaftNodeConfig.Member nobody = Replicas.members(1).get(0);
        refused(
                node.addMember(new RaftNodeConfig.Member("n4", nobody.raftAddress(), "a:2"), PATIENCE),
                Reason.NO_ANSWER,
                "node n4 does not answer at " + nobody.raftAddress());
        assertThat(node.members()).hasSize(2);
        assertThat(follower.members()).hasSize(2);
    }

    @Test
    void a_node_that_does_not_wait_to_be_added_is_not() throws IOException {
        Replicas replicas = start(1);
        RaftNodeConfig.Member added = replicas.startNew("n2");
        replicas.stop(replicas.get("n2"));
        Recorder recorder = new Recorder();
        List<RaftNodeConfig.Member> never =
                List.of(added, Replicas.named("n9", Replicas.members(1).get(0)));
        RaftNodeConfig other = Replicas.config("other", "n2", never, folder.resolve("other"));

        try (RaftNode stranger = RaftNode.start(other, new LockStateMachine(recorder, recorder))) {
            assertThat(stranger.transferLeadership(PATIENCE)).isFalse();
            refused(
                    replicas.leader().node().addMember(added, PATIENCE),
                    Reason.NOT_WAITING,
                    "does not wait to be added to cluster test");
        }
    }

    @Test
    void nothing_is_changed_that_would_leave_no_majority_alive() throws IOException {
        Replicas replicas = start(3);
        Replica dead = replicas.followers().get(0);
        Replica alive = replicas.followers().get(1);
        replicas.stop(dead);
        RaftNode leader = replicas.leader().node();

        // Raft has not missed the dead one yet.
        refused(leader.removeMember(alive.id(), PATIENCE), Reason.NO_MAJORITY, "which is no majority");

        assertDone(leader.removeMember(dead.id(), PATIENCE));
        replicas.commit(acquire("a", "x"));
    }

    @Test
    void the_only_member_stays() throws IOException {
        Replicas replicas = start(1);

        refused(
                replicas.leader().node().removeMember("n1", PATIENCE),
                Reason.LAST_MEMBER,
                "node n1 is the only member");
    }

    @Test
    void of_two_changes_at_a_time_one_is_refused() throws IOException {
        Replicas replicas = start(1);
        RaftNode leader = replicas.leader().node();
        List<RaftNodeConfig.Member> added = List.of(replicas.startNew("n4"), replicas.startNew("n5"));

        List<MembershipResult> results = added.stream()
                .map(member -> CompletableFuture.supplyAsync(() -> leader.addMember(member, PATIENCE), THREADS))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        // They may have come one after the other, too.
        assertThat(results).anySatisfy(MembersTest::assertDone).allSatisfy(result -> {
            if (result instanceof Refused refused) {
                assertThat(refused.reason()).isEqualTo(Reason.BUSY);
            }
        });
    }

    private Replicas start(int size) throws IOException {
        Replicas replicas = Replicas.start(folder, size);
        clusters.add(replicas);
        return replicas;
    }

    private static void assertDone(MembershipResult result) {
        assertThat(result).isInstanceOf(Done.class);
    }

    private static void refused(MembershipResult result, Reason reason, String why) {
        assertThat(result).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.reason()).as(refused.why()).isEqualTo(reason);
            assertThat(refused.why()).contains(why);
        });
    }
}
