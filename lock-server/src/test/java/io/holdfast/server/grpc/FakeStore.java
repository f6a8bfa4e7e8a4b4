package io.holdfast.server.grpc;

import io.holdfast.core.Command;
import io.holdfast.core.Limits;
import io.holdfast.core.LockTable;
import io.holdfast.core.Outcome;
import io.holdfast.core.Position;
import io.holdfast.server.proposer.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that remembers what it was asked. It answers as the test says, or else from a lock table of its own. Thread safe. */
final class FakeStore implements Store {
    final List<Command> commands = new ArrayList<>();
    final List<Duration> blocks = new ArrayList<>();
    private final LockTable table = new LockTable(Limits.DEFAULT);
    private @Nullable Outcome nextOutcome;
    private @Nullable RuntimeException nextFailure;
    private @Nullable CompletableFuture<Answer<Outcome>> nextAnswer;
    private long leaseTimeNanos;
    private OptionalLong ageMillis = OptionalLong.empty();

    synchronized void answerNext(Outcome outcome) {
        nextOutcome = outcome;
    }

    synchronized void failNext(RuntimeException failure) {
        nextFailure = failure;
    }

    /** Leaves the next question open. */
    synchronized CompletableFuture<Answer<Outcome>> answerNextLater() {
        CompletableFuture<Answer<Outcome>> answer = new CompletableFuture<>();
        nextAnswer = answer;
        return answer;
    }

    /** From now on it carries out what not every version knows. */
    synchronized void raiseFeatureLevel() {
        apply(List.of(new Command.RaiseFeatureLevel(LockTable.NEWEST_FEATURE_LEVEL)));
    }

    synchronized void passTo(long nanos) {
        leaseTimeNanos = nanos;
        apply(List.of());
    }

    synchronized Command last() {
        return commands.get(commands.size() - 1);
    }

    synchronized int commandCount() {
        return commands.size();
    }

    synchronized Duration lastBlock() {
        return blocks.get(blocks.size() - 1);
    }

    @Override
    public CompletionStage<Answer<Outcome>> submit(Command command) {
        return ask(command, Duration.ZERO);
    }

    @Override
    public CompletionStage<Answer<Outcome>> ask(Command.Once acquire, Duration block) {
        return ask((Command) acquire, block);
    }

    private synchronized CompletionStage<Answer<Outcome>> ask(Command command, Duration block) {
        commands.add(command);
        blocks.add(block);
        if (nextFailure != null) {
            RuntimeException failure = nextFailure;
            nextFailure = null;
            return CompletableFuture.failedFuture(failure);
        }
        if (nextAnswer != null) {
            CompletableFuture<Answer<Outcome>> answer = nextAnswer;
            nextAnswer = null;
            return answer;
        }
        Outcome outcome = nextOutcome;
        nextOutcome = null;
        if (outcome == null) {
            outcome = apply(List.of(command)).get(0);
        }
        return CompletableFuture.completedFuture(new Answer<>(outcome, table.appliedIndex(), table.clockNanos()));
    }

    private List<Outcome> apply(List<Command> entry) {
        return table.apply(new Position(table.appliedIndex() + 1, leaseTimeNanos), entry)
                .outcomes();
    }

    @Override
    public synchronized <T> CompletionStage<Answer<T>> read(Function<LockTable, T> query) {
        if (nextFailure != null) {
            RuntimeException failure = nextFailure;
            nextFailure = null;
            return CompletableFuture.failedFuture(failure);
        }
        return CompletableFuture.completedFuture(readStale(query));
    }

    @Override
    public synchronized <T> Answer<T> readStale(Function<LockTable, T> query) {
        return new Answer<>(query.apply(table), table.appliedIndex(), table.clockNanos());
    }

    synchronized void wasCurrent(OptionalLong millisAgo) {
        ageMillis = millisAgo;
    }

    @Override
    public synchronized OptionalLong staleMillis() {
        return ageMillis;
    }
}
