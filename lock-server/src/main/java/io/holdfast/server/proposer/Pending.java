package io.holdfast.server.proposer;

import io.holdfast.core.Command;
import io.holdfast.core.LockTable;
import io.holdfast.core.Outcome;
import io.holdfast.server.proposer.Store.Answer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Something that waits for an entry: a command that goes into it, or a read that is answered just after it. */
sealed interface Pending {
    /** Ends it without an answer. */
    void fail(Unanswered failure);

    /**
     * A command.
     *
     * @param command what to do
     * @param bytes its size in an entry
     * @param block how long an acquire that is queued waits for what becomes of it; zero answers at once
     * @param answer ends with the outcome
     */
    record Write(Command command, int bytes, Duration block, CompletableFuture<Answer<Outcome>> answer)
            implements Pending {
        /** Whether being queued is not yet the answer. */
        boolean waits() {
            return (command instanceof Command.Acquire || command instanceof Command.AcquireAll) && !block.isZero();
        }

        @Override
        public void fail(Unanswered failure) {
            answer.completeExceptionally(failure);
        }
    }

    /**
     * A read.
     *
     * @param <T> what is read
     * @param query reads the table
     * @param answer ends with what it read
     */
    record Read<T>(Function<LockTable, T> query, CompletableFuture<Answer<T>> answer) implements Pending {
        /**
         * Reads now, on the applying thread.
         *
         * @return delivers the answer; for another thread to run
         */
        Runnable answerFrom(LockTable table) {
            try {
                Answer<T> read = new Answer<>(query.apply(table), table.appliedIndex(), table.clockNanos());
                return () -> answer.complete(read);
            } catch (RuntimeException e) {
                // A bug in a query is its caller's; it must not stop the replica.
                return () -> answer.completeExceptionally(e);
            }
        }

        @Override
        public void fail(Unanswered failure) {
            answer.completeExceptionally(failure);
        }
    }
}
