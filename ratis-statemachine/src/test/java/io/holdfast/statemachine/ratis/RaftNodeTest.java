package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.PATIENCE;
import static io.holdfast.statemachine.ratis.Replicas.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.core.FencingToken;
import io.holdfast.core.Outcome;
import io.holdfast.statemachine.ratis.Replicas.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three real nodes, real sockets and disks, one JVM. */
class RaftNodeTest {
    @TempDir
    Path folder;

    private Replicas replicas;

    @BeforeEach
    void startThree() throws IOException {
        replicas = Replicas.start(folder, 3);
    }

    @AfterEach
    void stop() {
        replicas.close();
    }

    @Test
    void an_acquire_committed_on_the_leader_is_applied_on_all_with_the_same_digest() throws Exception {
        Replica leader = replicas.leader();

        assertThat(get(leader.node().append(replicas.entry(acquire("orders/42", "a")))))
                .isTrue();

        // The listener came before the future's end.
        assertThat(leader.recorder().applied).hasSize(1);
        assertThat(leader.recorder().applied.get(0).outcomes()).singleElement().isInstanceOf(Outcome.Granted.class);
        replicas.agreement();
        long index = leader.appliedIndex();
        assertThat(replicas.all()).allSatisfy(replica -> {
            assertThat(replica.tokenOf("orders/42")).contains(new FencingToken(index * FencingToken.PER_ENTRY));
            assertThat(replica.recorder().entries).isEqualTo(leader.recorder().entries);
            assertThat(replica.recorder().applied).isEqualTo(leader.recorder().applied);
        });
    }

    @Test
    void when_the_leader_is_closed_another_is_ready_and_tokens_go_on_growing() throws IOException {
        Replica first = replicas.leader();
        replicas.commit(acquire("a", "x"));
        FencingToken before = first.tokenOf("a").orElseThrow();

        replicas.stop(first);
        replicas.commit(acquire("b", "x"));

        Replica second = replicas.leader();
        assertThat(second.tokenOf("a")).contains(before);
        assertThat(second.tokenOf("b").orElseThrow()).isGreaterThan(before);
        assertThat(second.recorder().termsLed.get(0))
                .isGreaterThan(first.recorder().termsLed.get(0));
        replicas.agreement();
        assertThat(first.recorder().leads()).isFalse();
        assertThat(first.recorder().fatal).isEmpty();
    }

    @Test
    void a_restart_of_all_from_disk_gives_the_state_and_digest_of_before() throws IOException {
        for (int i = 0; i < 20; i++) {
            replicas.commit(acquire("lock-" + i, "x"), acquire("lock-" + i, "y"));
        }
        String before = replicas.agreement();
        List<Long> indexes = replicas.leader().recorder().indexes();

        replicas.stopAll();
        replicas.startAll();
        replicas.leader();

        assertThat(replicas.agreement()).isEqualTo(before);
        assertThat(replicas.all())
                .allSatisfy(replica -> assertThat(replica.recorder().indexes()).isEqualTo(indexes));
        replicas.commit(acquire("lock-20", "x"));
        replicas.agreement();
    }

    @Test
    void a_node_that_was_away_catches_up() throws IOException {
        Replica away = replicas.followers().get(0);
        replicas.stop(away);
        for (int i = 0; i < 10; i++) {
            replicas.commit(acquire("lock-" + i, "x"));
        }

        Replica back = replicas.start(away.id());
        replicas.agreement();

        assertThat(back.recorder().entries).hasSize(10);
    }

    @Test
    void leadership_is_passed_to_the_member_that_is_named() {
        Replica leader = replicas.leader();
        Replica heir = replicas.followers().get(1);

        assertThat(leader.node().transferLeadership(heir.id(), PATIENCE)).isTrue();

        await().atMost(PATIENCE).until(() -> heir.recorder().leads());
        assertThat(leader.recorder().leads()).isFalse();
        replicas.commit(acquire("a", "x"));
        assertThat(heir.node().transferLeadership("n99", Duration.ofMillis(500)))
                .isFalse();
        assertThat(leader.node().transferLeadership(PATIENCE)).isFalse(); // it does not lead any more
    }

    @Test
    void leadership_is_passed_to_a_member_that_lives() throws IOException {
        replicas.stop(replicas.followers().get(0));
        Replica leader = replicas.leader();

        assertThat(leader.node().transferLeadership(PATIENCE)).isTrue();

        assertThat(replicas.leader()).isNotSameAs(leader);
        replicas.commit(acquire("a", "x"));
    }

    @Test
    void an_entry_given_to_a_follower_is_certainly_not_appended() throws Exception {
        Replica follower = replicas.followers().get(0);

        assertThat(get(follower.node().append(replicas.entry(acquire("a", "x")))))
                .isFalse();

        replicas.commit();
        replicas.agreement();
        assertThat(follower.tokenOf("a")).isEmpty();
        assertThat(follower.recorder().entries).hasSize(1);
    }

    @Test
    void an_entry_that_found_no_majority_is_neither_confirmed_nor_denied() throws Exception {
        Replica leader = replicas.leader();
        CompletableFuture<Void> stopped = replicas.stopLater(replicas.followers());

        // One entry is always under way, so it is one of them that finds nobody there; the leader steps down then.
        assertThatThrownBy(() -> appendUntilRefused(leader)).isInstanceOf(ExecutionException.class);
        stopped.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        int known = leader.recorder().entries.size();
        await().atMost(PATIENCE).until(() -> !leader.recorder().leads());
        assertThat(get(leader.node().append(replicas.entry()))).isFalse();
        assertThat(leader.recorder().entries).hasSize(known);

        // Whoever leads now decides what becomes of it, for all alike.
        replicas.startAllBut(leader.id());
        replicas.commit();
        replicas.agreement();
        assertThat(leader.recorder().entries).hasSizeBetween(known + 1, known + 2);
    }

    private void appendUntilRefused(Replica leader) throws Exception {
        boolean committed;
        do {
            committed = get(leader.node().append(replicas.entry()));
        } while (committed);
    }

    @Test
    void the_log_of_an_idle_cluster_does_not_grow() {
        replicas.commit(acquire("a", "x"));
        replicas.agreement();

        // On a starved machine there may be an election, which is an entry; so wait for two seconds without any.
        AtomicReference<List<Long>> last = new AtomicReference<>(List.of());
        await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> {
            List<Long> now = commitIndexes();
            return last.getAndSet(now).equals(now);
        });
    }

    @Test
    void the_status_names_leader_and_members_with_their_addresses() throws IOException {
        Replica leader = replicas.leader();
        replicas.commit(acquire("a", "x"));
        replicas.agreement();

        RaftStatus status = leader.node().status();

        assertThat(status.role()).isEqualTo(RaftStatus.Role.LEADER);
        assertThat(status.isLeaderReady()).isTrue();
        assertThat(status.leaderId()).contains(leader.id());
        assertThat(leader.recorder().termsLed).containsExactly(status.term());
        assertThat(status.appliedIndex()).isEqualTo(status.commitIndex()).isEqualTo(leader.appliedIndex());
        assertThat(status.members()).isEqualTo(replicas.config("n1").members());
        RaftStatus followers = replicas.followers().get(0).node().status();
        assertThat(followers.role()).isEqualTo(RaftStatus.Role.FOLLOWER);
        assertThat(followers.isLeaderReady()).isFalse();
        assertThat(followers.leaderId()).isEqualTo(Optional.of(leader.id()));
    }

    private List<Long> commitIndexes() {
        return replicas.all().stream()
                .map(replica -> {
                    try {
                        return replica.node().status().commitIndex();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }

    private static boolean get(CompletableFuture<Boolean> fate) throws Exception {
        return fate.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
