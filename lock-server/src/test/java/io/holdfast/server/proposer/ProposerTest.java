package io.holdfast.server.proposer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Command;
import io.holdfast.core.LockName;
import io.holdfast.core.Outcome;
import io.holdfast.core.Terms;
import io.holdfast.server.proposer.EntryLog.Fate;
import io.holdfast.server.proposer.Unanswered.Why;
import io.holdfast.statemachine.codec.Entry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProposerTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration NO_WAIT = Duration.ZERO;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Bench bench = Bench.leading();

    @Test
    void commands_that_arrive_while_an_entry_is_in_flight_share_the_next_one() {
        var first = bench.submit(bench.acquire("a", "A", TTL, NO_WAIT));
        bench.settle();
        bench.send(bench.acquire("b", "B", TTL, NO_WAIT));
        bench.send(bench.acquire("c", "C", TTL, NO_WAIT));
        bench.settle();
        assertThat(bench.log).hasSize(1);

        bench.commit();

        assertThat(first.join().value()).isInstanceOf(Outcome.Granted.class);
        assertThat(bench.log).hasSize(2);
        assertThat(bench.lastEntry().commands()).hasSize(2);
    }

    @Test
    void an_entry_takes_no_more_commands_and_bytes_than_its_bounds() {
        bench.send(bench.acquire("a", "A", TTL, NO_WAIT));
        bench.settle();
        for (int i = 0; i < Bench.CONFIG.maxEntryCommands() + 1; i++) {
            bench.send(bench.acquire("b" + i, "B", TTL, NO_WAIT));
        }
        bench.commit();
        assertThat(bench.lastEntry().commands()).hasSize(Bench.CONFIG.maxEntryCommands());
        bench.commit();
        assertThat(bench.lastEntry().commands()).hasSize(1);

        String name = "n".repeat(512); // two of these are more than an entry's bytes
        bench.send(bench.acquire(name, "B".repeat(250), TTL, NO_WAIT));
        bench.send(bench.acquire(name, "C".repeat(250), TTL, NO_WAIT));
        bench.commit();
        assertThat(bench.lastEntry().commands()).hasSize(1);
    }

    @Test
    void renewals_go_first_and_have_room_when_all_else_is_refused() {
        bench.hold("a", "A", TTL);
        bench.send(bench.acquire("b", "B", TTL, NO_WAIT));
        bench.settle();
        for (int i = 0; i < Bench.CONFIG.maxQueuedCommands(); i++) {
            bench.send(bench.acquire("c" + i, "C", TTL, NO_WAIT));
        }
        var excess = bench.submit(bench.acquire("d", "D", TTL, NO_WAIT));
        assertThat(Bench.failureOf(excess).why()).isEqualTo(Why.OVERLOADED);

        var renewal = bench.submit(bench.renew("a", "A"));
        bench.commit();

        assertThat(bench.lastEntry().commands().get(0)).isInstanceOf(Command.RenewHold.class);
        bench.commit();
        assertThat(renewal.join().value()).isInstanceOf(Outcome.Renewed.class);
    }

    @Test
    void what_some_members_may_not_know_yet_is_not_proposed_before_the_feature_level_is_raised() {
        Command.Acquire plain = bench.acquire("a", "A", TTL, NO_WAIT);
        Command shared = new Command.Acquire(
                plain.owner(), plain.name(), plain.request(), plain.ttlNanos(), 0, "", Terms.SHARED);
        assertThat(bench.submit(shared).join().value()).isEqualTo(new Outcome.FeatureLevelTooLow(2, 1));
        bench.settle();
        assertThat(bench.log).isEmpty();

        bench.send(new Command.RaiseFeatureLevel(2));
        bench.settle();
        bench.commit();
        var granted = bench.submit(shared);
        bench.settle();
        bench.commit();
        assertThat(granted.join().value()).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void without_leases_nothing_ticks() {
        assertThat(bench.settle()).isEqualTo(Long.MAX_VALUE);
        bench.pass(Duration.ofHours(1));
        assertThat(bench.log).isEmpty();
    }

    @Test
    void a_lease_is_expired_by_a_tick_when_it_is_due_and_not_before() {
        bench.hold("a", "A", Duration.ofMillis(900));

        bench.pass(Duration.ofMillis(899));
        assertThat(bench.log).hasSize(1);
        assertThat(bench.settle()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));

        bench.pass(Duration.ofMillis(1));
        assertThat(bench.lastEntry().commands()).isEmpty();
        bench.commit();
        assertThat(bench.table.lock(new LockName("a"), 0)).isEmpty();
        assertThat(bench.settle()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void while_a_lease_lives_a_tick_is_committed_every_interval() {
        bench.hold("a", "A", TTL);
        for (int i = 1; i <= 5; i++) {
            bench.pass(Bench.CONFIG.tickMaxInterval());
            assertThat(bench.log).hasSize(1 + i);
            bench.commit();
        }
    }

    @Test
    void a_leader_that_was_frozen_moves_lease_time_by_one_step_only() {
        bench.hold("a", "A", TTL);
        long before = bench.table.clockNanos();

        bench.pass(Duration.ofSeconds(60));
        bench.commit();

        assertThat(bench.table.clockNanos() - before)
                .isEqualTo(Bench.CONFIG.tickMaxStep().toNanos());
        assertThat(bench.table.lock(new LockName("a"), 0)).isPresent();
    }

    @Test
    void lease_time_stands_still_until_the_grace_after_a_leader_change_is_over() {
        bench.hold("a", "A", Duration.ofMillis(500));
        bench.proposer.onNotLeader();
        bench.pass(Duration.ofSeconds(30));
        long before = bench.table.clockNanos();

        bench.lead();
        bench.pass(Bench.CONFIG.failoverGrace());
        bench.send(bench.renew("a", "A"));
        bench.settle();
        bench.commit();

        assertThat(bench.table.clockNanos()).isEqualTo(before);
        assertThat(bench.table.lock(new LockName("a"), 0)).isPresent();
    }

    @Test
    void a_read_waits_for_the_next_entry_and_sees_what_it_did() {
        bench.send(bench.acquire("a", "A", TTL, NO_WAIT));
        bench.settle();
        var read = bench.proposer
                .read(table -> table.lock(new LockName("b"), 0).isPresent())
                .toCompletableFuture();
        bench.send(bench.acquire("b", "B", TTL, NO_WAIT));
        bench.commit();
        assertThat(read).isNotDone();

        bench.commit();
        assertThat(read.join().value()).isTrue();
    }

    @Test
    void an_ask_is_answered_when_the_lock_is_passed_on() {
        bench.hold("a", "A", TTL);
        var ask = bench.ask(bench.acquire("a", "B", TTL, LONG), Duration.ofSeconds(3));
        bench.settle();
        bench.commit();
        assertThat(ask).isNotDone();

        bench.send(bench.release("a", "A"));
        bench.settle();
        bench.commit();

        assertThat(ask.join().value()).isInstanceOf(Outcome.Granted.class);
        assertThat(bench.timersPlanned()).isZero();
    }

    @Test
    void an_ask_that_is_still_queued_when_its_block_has_passed_is_told_so() {
        bench.hold("a", "A", TTL);
        var ask = bench.ask(bench.acquire("a", "B", TTL, LONG), Duration.ofSeconds(3));
        bench.settle();
        bench.commit();

        bench.pass(Duration.ofSeconds(3));

        assertThat(ask.join().value()).isInstanceOf(Outcome.Queued.class);
    }

    @Test
    void an_ask_for_several_locks_is_answered_when_it_has_them_all() {
        bench.send(new Command.RaiseFeatureLevel(2));
        bench.settle();
        bench.commit();
        bench.hold("a", "A", TTL);
        bench.hold("b", "B", TTL);
        var ask = bench.ask(bench.acquireAll("C", TTL, LONG, "a", "b"), Duration.ofSeconds(3));
        bench.settle();
        bench.commit();

        bench.send(bench.release("a", "A"));
        bench.settle();
        bench.commit();
        assertThat(ask).isNotDone();
        bench.send(bench.release("b", "B"));
        bench.settle();
        bench.commit();

        assertThat(ask.join().value())
                .isInstanceOfSatisfying(
                        Outcome.GrantedAll.class, it -> assertThat(it.holds()).hasSize(2));
        assertThat(bench.timersPlanned()).isZero();
    }

    @Test
    void an_ask_is_answered_when_its_wait_deadline_or_lease_ends() {
        bench.hold("a", "A", TTL);
        var timesOut = bench.ask(bench.acquire("a", "B", TTL, Duration.ofMillis(200)), Duration.ofSeconds(3));
        var expires = bench.ask(bench.acquire("a", "C", Duration.ofMillis(300), LONG), Duration.ofSeconds(3));
        bench.settle();
        bench.commit();

        bench.pass(Duration.ofMillis(200));
        bench.commit();
        assertThat(timesOut.join().value()).hasToString("Ended[how=TIMED_OUT, token=Optional.empty]");

        bench.pass(Duration.ofMillis(100));
        bench.commit();
        assertThat(expires.join().value()).hasToString("Ended[how=EXPIRED, token=Optional.empty]");
    }

    @Test
    void when_leadership_is_lost_each_caller_learns_whether_its_command_may_have_had_its_effect() {
        bench.hold("a", "A", TTL);
        var parked = bench.ask(bench.acquire("a", "B", TTL, LONG), Duration.ofSeconds(3));
        bench.settle();
        bench.commit();
        var inFlight = bench.submit(bench.acquire("b", "B", TTL, NO_WAIT));
        bench.settle();
        var notSent = bench.submit(bench.acquire("c", "C", TTL, NO_WAIT));

        bench.proposer.onNotLeader();

        assertThat(Bench.failureOf(parked).why()).isEqualTo(Why.OUTCOME_UNKNOWN);
        assertThat(Bench.failureOf(inFlight).why()).isEqualTo(Why.OUTCOME_UNKNOWN);
        assertThat(Bench.failureOf(notSent).why()).isEqualTo(Why.NOT_LEADER);
        var late = bench.submit(bench.acquire("d", "D", TTL, NO_WAIT));
        assertThat(Bench.failureOf(late).why()).isEqualTo(Why.NOT_LEADER);
    }

    @Test
    void the_same_ask_at_the_next_leader_finds_its_old_place() {
        bench.hold("a", "A", TTL);
        Command.Acquire first = bench.acquire("a", "B", TTL, LONG);
        var unused = bench.ask(first, Duration.ofSeconds(3));
        var unusedToo = bench.ask(bench.acquire("a", "C", TTL, LONG), Duration.ofSeconds(3));
        bench.settle();
        bench.commit();
        bench.proposer.onNotLeader();
        bench.lead();

        var again = bench.ask(first, Duration.ofSeconds(3));
        bench.settle();
        bench.commit();
        bench.send(bench.release("a", "A"));
        bench.settle();
        bench.commit();

        assertThat(again.join().value()).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void an_entry_without_a_majority_ends_the_promise_to_answer_and_nothing_new_is_taken_until_it_is_decided() {
        var stuck = bench.submit(bench.acquire("a", "A", TTL, NO_WAIT));
        bench.settle();
        var queued = bench.submit(bench.acquire("b", "B", TTL, NO_WAIT));

        bench.pass(Bench.CONFIG.watchdog());

        assertThat(Bench.failureOf(stuck).why()).isEqualTo(Why.OUTCOME_UNKNOWN);
        assertThat(Bench.failureOf(queued).why()).isEqualTo(Why.NOT_LEADER);
        assertThat(bench.proposer.isLeading()).isFalse();
        assertThat(Bench.failureOf(bench.submit(bench.acquire("c", "C", TTL, NO_WAIT)))
                        .why())
                .isEqualTo(Why.NOT_LEADER);

        bench.commit(); // the majority is back

        assertThat(bench.proposer.isLeading()).isTrue();
        bench.hold("c", "C", TTL);
    }

    @Test
    void an_entry_that_the_log_refused_certainly_had_no_effect() {
        var refused = bench.submit(bench.acquire("a", "A", TTL, NO_WAIT));
        bench.settle();
        bench.fates.get(0).complete(Fate.REFUSED);
        assertThat(Bench.failureOf(refused).why()).isEqualTo(Why.NOT_LEADER);

        var lost = bench.submit(bench.acquire("a", "A", TTL, NO_WAIT));
        bench.settle();
        bench.fates.get(1).completeExceptionally(new IllegalStateException("log closed"));
        assertThat(Bench.failureOf(lost).why()).isEqualTo(Why.OUTCOME_UNKNOWN);
    }

    @Test
    void an_entry_of_another_leader_answers_nobody_here() {
        var mine = bench.submit(bench.acquire("a", "A", TTL, NO_WAIT));
        bench.settle();

        bench.apply(new Entry(1, 0, List.of(bench.acquire("z", "Z", TTL, NO_WAIT))));

        assertThat(mine).isNotDone();
        bench.commit();
        assertThat(mine.join().value()).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void a_read_that_throws_fails_alone() {
        var broken = bench.proposer
                .read(table -> {
                    throw new IllegalStateException("bug in a query");
                })
                .toCompletableFuture();
        var good = bench.submit(bench.acquire("a", "A", TTL, NO_WAIT));
        bench.settle();
        bench.commit();

        assertThat(broken).isCompletedExceptionally();
        assertThat(good.join().value()).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void a_draining_proposer_answers_what_it_took_and_takes_nothing_more() throws InterruptedException {
        assertThat(bench.proposer.drain(Duration.ofSeconds(1))).isTrue();
        assertThat(Bench.failureOf(bench.submit(bench.acquire("a", "A", TTL, NO_WAIT)))
                        .why())
                .isEqualTo(Why.STOPPING);
    }
}
