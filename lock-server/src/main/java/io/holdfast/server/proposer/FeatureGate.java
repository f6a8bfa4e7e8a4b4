package io.holdfast.server.proposer;

import io.holdfast.core.Command;
import io.holdfast.core.LockTable;
import io.holdfast.core.Outcome;
import io.holdfast.server.proposer.Store.Answer;
import java.util.Optional;

/**
 * Keeps commands out of the log that not all members can read yet: one of an older version would stop at them. The core would refuse them too, but only once they are there.
 */
final class FeatureGate {
    /** The level, and where in the log it was seen. */
    private record Seen(int level, long appliedIndex, long leaseTimeNanos) {}

    // Written by the thread that applies, read by callers. The level never falls, so an old view refuses too much at
    // worst.
    private volatile Seen seen = new Seen(1, 0, 0);

    void see(LockTable table) {
        seen = new Seen(table.featureLevel(), table.appliedIndex(), table.clockNanos());
    }

    /** The answer to a command that comes too early; empty if it may be proposed. */
    Optional<Answer<Outcome>> refusal(Command command) {
        Seen now = seen;
        int needed = command.featureLevel();
        return needed <= now.level
                ? Optional.empty()
                : Optional.of(new Answer<>(
                        new Outcome.FeatureLevelTooLow(needed, now.level), now.appliedIndex, now.leaseTimeNanos));
    }
}
