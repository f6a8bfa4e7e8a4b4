package io.holdfast.server.proposer;

import io.holdfast.core.Command;
import io.holdfast.core.LockTable;
import io.holdfast.core.Outcome;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What a front door may ask of this node. Thread safe; never blocks.
 *
 * <p>A stage that fails does so with an {@link Unanswered}, which says whether the command may have had its effect. Stages end on the node's answer threads: do not block there.
 */
public interface Store {
    /**
     * Carries out a command.
     *
     * @param command what to do
     * @return its outcome, once a majority has it on disk and this node has applied it
     */
    CompletionStage<Answer<Outcome>> submit(Command command);

    /**
     * Carries out one ask for a lock, or for several as one, and, if it is queued, waits for what becomes of it.
     *
     * @param acquire the ask: a {@link Command.Acquire} or a {@link Command.AcquireAll}
     * @param block how long to wait at most; then the outcome is {@link Outcome.Queued}
     * @return the outcome: granted, refused, over, or still queued
     */
    CompletionStage<Answer<Outcome>> ask(Command.Once acquire, Duration block);

    /**
     * Reads the state, linearizably: the read sees all that was answered before it was asked. It is a barrier in the proposer's next entry (DESIGN §4), so that a deposed leader cannot answer.
     *
     * @param <T> what is read
     * @param query reads the table and keeps no reference to it; runs on the applying thread, so it must be quick
     * @return what it read, and where
     */
    <T> CompletionStage<Answer<T>> read(Function<LockTable, T> query);

    /**
     * Reads the state of this node as it is, which may be behind.
     *
     * @param <T> what is read
     * @param query reads the table and keeps no reference to it
     * @return what it read, and where
     */
    <T> Answer<T> readStale(Function<LockTable, T> query);

    /**
     * Tells how old the state may be that {@link #readStale} reads after this call.
     *
     * @return ms since this node last heard that its state was the newest; empty if it does not know. It proves nothing: who is cut off together with an old leader hears from that one
     */
    OptionalLong staleMillis();

    /**
     * An answer and the place in the log where it was true.
     *
     * @param <T> kind of answer
     * @param value the answer
     * @param appliedIndex the log index at which it was true
     * @param leaseTimeNanos the lease time there, in ns
     */
    record Answer<T>(T value, long appliedIndex, long leaseTimeNanos) {}
}
