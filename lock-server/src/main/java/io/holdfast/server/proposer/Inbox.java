package io.holdfast.server.proposer;

import io.holdfast.core.Command;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What waits for the next entry. Renewals go first, so that overload never costs a holder its lease; otherwise first come, first served. Not thread safe: the proposer guards it.
 */
final class Inbox {
    private final ProposerConfig config;
    private final Deque<Pending> renewals = new ArrayDeque<>();
    private final Deque<Pending> others = new ArrayDeque<>();

    Inbox(ProposerConfig config) {
        this.config = config;
    }

    boolean isEmpty() {
        return renewals.isEmpty() && others.isEmpty();
    }

    /** Takes it in, or says that there is no room. Renewals have as much room again. */
    boolean offer(Pending pending) {
        Deque<Pending> queue = isRenewal(pending) ? renewals : others;
        return queue.size() < config.maxQueuedCommands() && queue.offer(pending);
    }

    /** Takes out what fits into one entry. */
    List<Pending> takeBatch() {
        List<Pending> batch = new ArrayList<>(Math.min(config.maxEntryCommands(), renewals.size() + others.size()));
        long bytes = takeFrom(renewals, batch, 0);
        takeFrom(others, batch, bytes);
        return batch;
    }

    List<Pending> takeAll() {
        List<Pending> all = new ArrayList<>(renewals);
        all.addAll(others);
        renewals.clear();
        others.clear();
        return all;
    }

    private long takeFrom(Deque<Pending> queue, List<Pending> batch, long bytesBefore) {
        long bytes = bytesBefore;
        for (Pending next = queue.peek(); next != null; next = queue.peek()) {
            int size = next instanceof Pending.Write write ? write.bytes() : 0;
            boolean fits = batch.size() < config.maxEntryCommands() && bytes + size <= config.maxEntryBytes();
            if (!fits && !batch.isEmpty()) {
                break;
            }
            batch.add(queue.remove());
            bytes += size;
        }
        return bytes;
    }

    private static boolean isRenewal(Pending pending) {
        return pending instanceof Pending.Write write
                && (write.command() instanceof Command.RenewHold || write.command() instanceof Command.RenewSessions);
    }
}
