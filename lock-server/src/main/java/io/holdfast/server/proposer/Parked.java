package io.holdfast.server.proposer;

import io.holdfast.core.Applied;
import io.holdfast.core.Command;
import io.holdfast.core.Event;
import io.holdfast.core.LockName;
import io.holdfast.core.LockTable;
import io.holdfast.core.Outcome;
import io.holdfast.core.Owner;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.server.proposer.Unanswered.Why;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Asks whose outcome was <em>queued</em>, each until it is granted, over, or its block has passed. Their places are in the replicated queue: an ask that is lost here costs nobody a place. Thread safe.
 */
final class Parked {
    private record Key(Owner owner, LockName name) {}

    private final AskTimer timer;

    // Guarded by itself: the applying thread parks and settles, the timer thread times out.
    private final Map<Key, List<Ask>> asks = new HashMap<>();

    Parked(AskTimer timer) {
        this.timer = timer;
    }

    /** One parked ask, and how to call off its time-out. */
    private record Ask(Command.Once acquire, CompletableFuture<Answer<Outcome>> answer, Runnable cancelTimeout) {}

    /** Parks an ask that was just queued. Applying thread. */
    void park(Pending.Write write, Answer<Outcome> queued) {
        Command.Once acquire = (Command.Once) write.command();
        // An ask for several locks is parked at the first of them: all of them tell alike what becomes of it.
        Key key = new Key(acquire.owner(), acquire.name());
        synchronized (asks) {
            Runnable cancel = timer.after(write.block(), () -> timeOut(key, write.answer(), queued));
            asks.computeIfAbsent(key, k -> new ArrayList<>(1)).add(new Ask(acquire, write.answer(), cancel));
        }
    }

    /**
     * Finds the asks that an entry settled. An event only says where to look; how the ask stands is read from the state, so the order of events within an entry does not matter here. Applying thread.
     *
     * @return delivers the answers; for another thread to run
     */
    List<Runnable> settle(Applied applied, LockTable table) {
        List<Runnable> deliveries = new ArrayList<>();
        for (Event event : applied.events()) {
            switch (event) {
                case Event.Acquired it -> settle(new Key(it.owner(), it.name()), table, deliveries);
                case Event.LeftQueue it -> settle(new Key(it.owner(), it.name()), table, deliveries);
                case Event.HandedOff it -> settle(new Key(it.to(), it.name()), table, deliveries);
                case Event.Converted it -> {}
                case Event.Revoking it -> {}
                case Event.PermitsReleased it -> {}
                case Event.ValueChanged it -> {}
                case Event.HoldEnded it -> {}
                case Event.Queued it -> {}
                case Event.SessionOpened it -> {}
                case Event.SessionEnded it -> {}
            }
        }
        return deliveries;
    }

    /** Ends all asks without an answer: their places in the queue are kept, and the next ask finds them. */
    void fail(String message) {
        Unanswered failure = new Unanswered(Why.OUTCOME_UNKNOWN, message);
        takeAll().forEach(answer -> answer.completeExceptionally(failure));
    }

    private List<CompletableFuture<Answer<Outcome>>> takeAll() {
        synchronized (asks) {
            List<CompletableFuture<Answer<Outcome>>> all = new ArrayList<>();
            asks.values()
                    .forEach(list -> list.forEach(ask -> {
                        ask.cancelTimeout.run();
                        all.add(ask.answer);
                    }));
            asks.clear();
            return all;
        }
    }

    private void settle(Key key, LockTable table, List<Runnable> deliveries) {
        synchronized (asks) {
            List<Ask> here = asks.get(key);
            if (here == null) {
                return;
            }
            here.removeIf(ask -> {
                Outcome standing = standing(ask.acquire, table);
                if (standing instanceof Outcome.Queued) {
                    return false;
                }
                ask.cancelTimeout.run();
                Answer<Outcome> answer = new Answer<>(standing, table.appliedIndex(), table.clockNanos());
                deliveries.add(() -> ask.answer.complete(answer));
                return true;
            });
            if (here.isEmpty()) {
                asks.remove(key);
            }
        }
    }

    private static Outcome standing(Command.Once ask, LockTable table) {
        return switch (ask) {
            case Command.Acquire acquire -> table.standing(acquire);
            case Command.AcquireAll all -> table.standing(all);
            default -> throw new IllegalStateException("not an ask for a lock: " + ask);
        };
    }

    private void timeOut(Key key, CompletableFuture<Answer<Outcome>> answer, Answer<Outcome> queued) {
        synchronized (asks) {
            List<Ask> here = asks.get(key);
            if (here == null || !here.removeIf(ask -> ask.answer == answer)) {
                return;
            }
            if (here.isEmpty()) {
                asks.remove(key);
            }
        }
        answer.complete(queued);
    }
}
