package io.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Command;
import io.holdfast.core.Limits;
import io.holdfast.core.LockTable;
import io.holdfast.core.Outcome;
import io.holdfast.core.Position;
import io.holdfast.server.grpc.Cluster;
import io.holdfast.server.proposer.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the leader raises the cluster's feature level, and when it waits. */
class FeatureLevelsTest {
    private static final Cluster.Member N1 = member("n1");
    private static final Cluster.Member N2 = member("n2");
    private static final Cluster.Member N3 = member("n3");

    private final OneTable store = new OneTable();
    private final Map<Cluster.Member, CompletableFuture<Integer>> known = new HashMap<>();
    private final List<Cluster.Member> asked = new ArrayList<>();
    private List<Cluster.Member> members = List.of(N1, N2, N3);
    private boolean isLeading = true;
    private long nanos;
    private final FeatureLevels levels = new FeatureLevels("n1", 2, new Seen(), store, this::ask, () -> nanos);

    @BeforeEach
    void all_know_the_newest() {
        knows(N2, 2);
        knows(N3, 2);
    }

    @Test
    void the_level_is_raised_when_all_members_know_a_higher_one() {
        levels.poll();

        assertThat(store.submitted).containsExactly(new Command.RaiseFeatureLevel(2));
    }

    @Test
    void one_that_knows_no_higher_level_is_waited_for() {
        knows(N3, 1);
        levels.poll();
        assertThat(store.submitted).isEmpty();

        knows(N3, 2);
        passSecond();
        levels.poll();
        assertThat(store.submitted).hasSize(1);
    }

    @Test
    void one_that_does_not_answer_is_waited_for() {
        known.put(N3, CompletableFuture.failedFuture(new IllegalStateException("no answer")));
        levels.poll();
        known.put(N3, new CompletableFuture<>());
        passSecond();
        levels.poll();

        assertThat(store.submitted).isEmpty();
    }

    @Test
    void one_of_a_later_version_does_not_raise_it_above_what_this_node_knows() {
        knows(N2, 7);
        knows(N3, 9);

        levels.poll();

        assertThat(store.submitted).containsExactly(new Command.RaiseFeatureLevel(2));
    }

    @Test
    void a_node_that_holds_the_level_back_does_not_raise_it() {
        FeatureLevels held = new FeatureLevels("n1", 1, new Seen(), store, this::ask, () -> nanos);

        held.poll();

        assertThat(store.submitted).isEmpty();
    }

    @Test
    void a_member_that_came_while_the_others_were_asked_is_asked_first() {
        CompletableFuture<Integer> slow = new CompletableFuture<>();
        known.put(N3, slow);
        levels.poll();
        members = List.of(N1, N2, N3, member("n4"));

        slow.complete(2);

        assertThat(store.submitted).isEmpty();
    }

    @Test
    void where_there_is_nothing_to_raise_nobody_is_asked() {
        levels.poll();
        asked.clear();

        passSecond();
        levels.poll();

        assertThat(asked).isEmpty();
    }

    @Test
    void who_does_not_lead_asks_nobody() {
        isLeading = false;

        levels.poll();

        assertThat(asked).isEmpty();
    }

    @Test
    void they_are_asked_once_a_second_at_most() {
        knows(N3, 1);
        levels.poll();
        levels.poll();
        assertThat(asked).containsExactly(N2, N3);

        passSecond();
        levels.poll();
        assertThat(asked).hasSize(4);
    }

    @Test
    void a_raise_that_was_refused_is_tried_again() {
        store.refuses = true;
        levels.poll();
        store.refuses = false;
        passSecond();
        levels.poll();

        assertThat(store.submitted).hasSize(2);
        assertThat(store.table.featureLevel()).isEqualTo(2);
    }

    private CompletionStage<Integer> ask(Cluster.Member member) {
        asked.add(member);
        return Objects.requireNonNull(known.get(member));
    }

    private void knows(Cluster.Member member, int level) {
        known.put(member, CompletableFuture.completedFuture(level));
    }

    private void passSecond() {
        nanos += Duration.ofSeconds(1).toNanos();
    }

    private static Cluster.Member member(String id) {
        return new Cluster.Member(id, id + ":1", id + ":2");
    }

    /** The cluster as the leader sees it, or a follower. */
    private final class Seen implements Cluster {
        @Override
        public boolean isLeading() {
            return isLeading;
        }

        @Override
        public View view() {
            return new View(Role.LEADER, 1, Optional.of("n1"), isLeading, members, Optional.empty());
        }
    }

    /** A store of one table, which notes what it is told to do. */
    private static final class OneTable implements Store {
        final List<Command> submitted = new ArrayList<>();
        final LockTable table = new LockTable(Limits.DEFAULT);
        boolean refuses;

        @Override
        public CompletionStage<Answer<Outcome>> submit(Command command) {
            submitted.add(command);
            if (refuses) {
                return CompletableFuture.failedFuture(new IllegalStateException("not now"));
            }
            Outcome outcome = table.apply(new Position(table.appliedIndex() + 1, 0), List.of(command))
                    .outcomes()
                    .get(0);
            return CompletableFuture.completedFuture(new Answer<>(outcome, table.appliedIndex(), 0));
        }

        @Override
        public CompletionStage<Answer<Outcome>> ask(Command.Once acquire, Duration block) {
            throw new AssertionError("nobody acquires here");
        }

        @Override
        public <T> CompletionStage<Answer<T>> read(Function<LockTable, T> query) {
            return CompletableFuture.completedFuture(readStale(query));
        }

        @Override
        public <T> Answer<T> readStale(Function<LockTable, T> query) {
            return new Answer<>(query.apply(table), table.appliedIndex(), 0);
        }

        @Override
        public OptionalLong staleMillis() {
            return OptionalLong.empty();
        }
    }
}
