package io.holdfast.server.proposer;

import io.holdfast.core.Applied;
import io.holdfast.core.Command;
import io.holdfast.core.LockTable;
import io.holdfast.core.Outcome;
import io.holdfast.server.proposer.Store.Answer;
import java.util.ArrayList;
import java.util.List;

/** The entry under way, and who waits for it. */
final class Flight {
    final long proposalId;
    final List<Pending> batch;
    private final long since;

    /** Its callers have been told that the outcome is unknown. */
    boolean isOverdue;

    Flight(long proposalId, long nowNanos, List<Pending> batch) {
        this.proposalId = proposalId;
        this.since = nowNanos;
        this.batch = batch;
    }

    long ageNanos(long nowNanos) {
        return nowNanos - since;
    }

    List<Command> commands() {
        List<Command> commands = new ArrayList<>(batch.size());
        for (Pending pending : batch) {
            if (pending instanceof Pending.Write write) {
                commands.add(write.command());
            }
        }
        return commands;
    }

    /**
     * Pairs outcomes with those who wait for them; an acquire that was queued is parked. Applying thread.
     *
     * @return delivers the answers; for another thread to run
     */
    List<Runnable> land(Applied applied, LockTable table, Parked parked) {
        List<Runnable> deliveries = new ArrayList<>(batch.size());
        int next = 0;
        for (Pending pending : batch) {
            switch (pending) {
                case Pending.Read<?> read -> deliveries.add(read.answerFrom(table));
                case Pending.Write write -> {
                    Outcome outcome = applied.outcomes().get(next++);
                    Answer<Outcome> answer = new Answer<>(outcome, table.appliedIndex(), table.clockNanos());
                    if (outcome instanceof Outcome.Queued && write.waits()) {
                        parked.park(write, answer);
                    } else {
                        deliveries.add(() -> write.answer().complete(answer));
                    }
                }
            }
        }
        return deliveries;
    }

    void fail(Unanswered failure) {
        batch.forEach(pending -> pending.fail(failure));
    }
}
