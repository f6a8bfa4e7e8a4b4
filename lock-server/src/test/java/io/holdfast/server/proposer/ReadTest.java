package io.holdfast.server.proposer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.LockName;
import io.holdfast.core.LockTable;
import io.holdfast.server.proposer.EntryLog.Fate;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.server.proposer.Unanswered.Why;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Reads are barriers: each sees all that was answered before it was asked, and many share an entry. */
class ReadTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    private final Bench bench = new Bench(new ProposerConfig(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            Duration.ofMillis(600),
            2_048,
            1 << 18,
            65_536));

    ReadTest() {
        bench.lead();
        bench.pass(Duration.ofSeconds(1));
    }

    @Test
    void a_hundred_reads_cost_one_entry() {
        bench.send(bench.acquire("a", "A", TTL, Duration.ZERO));
        bench.settle();
        List<CompletableFuture<Answer<Long>>> reads = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            reads.add(read());
        }
        bench.commit(); // the acquire; the reads' entry is made
        bench.commit();

        assertThat(bench.log).hasSize(2);
        assertThat(reads).allSatisfy(read -> assertThat(read.join().value()).isEqualTo(bench.table.appliedIndex()));
    }

    @Test
    void reads_share_the_entry_of_commands_and_add_nothing_to_it() {
        bench.send(bench.acquire("a", "A", TTL, Duration.ZERO));
        var read = read();
        bench.settle();
        bench.commit();

        assertThat(bench.log).hasSize(1);
        assertThat(bench.lastEntry().commands()).hasSize(1);
        assertThat(read).isDone();
    }

    @Test
    void without_readers_nothing_is_logged_for_them() {
        var read = read();
        bench.settle();
        bench.commit();
        bench.pass(Duration.ofHours(1));

        assertThat(read).isDone();
        assertThat(bench.log).hasSize(1);
    }

    @Test
    void a_read_asked_while_an_entry_is_in_flight_is_not_answered_by_that_one() {
        bench.send(bench.acquire("a", "A", TTL, Duration.ZERO));
        bench.settle();
        var read = bench.proposer
                .read(table -> table.lock(new LockName("a"), 0).isPresent())
                .toCompletableFuture();

        bench.apply(bench.lastEntry());

        assertThat(read)
                .as("the entry in flight may have been made before what the read must see")
                .isNotDone();
        bench.settle();
        bench.commit();
        assertThat(read.join().value()).isTrue();
    }

    @Test
    void a_leader_that_was_deposed_answers_no_read_from_its_own_state() {
        bench.hold("a", "A", TTL);
        var inFlight = read();
        bench.settle();
        var waiting = read();

        bench.proposer.onNotLeader();

        assertThat(Bench.failureOf(inFlight).why()).isEqualTo(Why.OUTCOME_UNKNOWN);
        assertThat(Bench.failureOf(waiting).why()).isEqualTo(Why.NOT_LEADER);
        assertThat(Bench.failureOf(read()).why()).isEqualTo(Why.NOT_LEADER);
    }

    @Test
    void a_leader_that_does_not_know_yet_that_it_was_deposed_answers_no_read() {
        bench.hold("a", "A", TTL);
        var read = read();
        bench.settle();

        // Frozen; meanwhile others lead. It wakes, and its log does not take the entry any more.
        bench.pass(Duration.ofMinutes(1));
        bench.fates.getLast().complete(Fate.REFUSED);

        assertThat(read).isCompletedExceptionally();
    }

    private CompletableFuture<Answer<Long>> read() {
        return bench.proposer.read(LockTable::appliedIndex).toCompletableFuture();
    }
}
