package io.holdfast.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Tells from the events of the store what became of one lock. Each question costs a pass over the events. */
final class Hindsight {
    private final State state;

    Hindsight(State state) {
        this.state = state;
    }

    History history(LockName name, int most) {
        List<LoggedEvent> latestFirst = new ArrayList<>(
                state.ring.backwards().filter(it -> isOf(name, it)).limit(most).toList());
        Collections.reverse(latestFirst);
        return new History(latestFirst, state.ring.firstIndex());
    }

    /** After the entry of that index. */
    HeldAt heldAt(LockName name, long logIndex) {
        if (logIndex > state.appliedIndex()) {
            return new HeldAt.NotYet();
        }
        if (!state.ring.reachesIndex(logIndex)) {
            return new HeldAt.TooOld(state.ring.firstIndex());
        }
        return held(name, logIndex + 1, it -> it.logIndex() > logIndex);
    }

    /** After all entries up to that lease time. */
    HeldAt heldAtTime(LockName name, long nanos) {
        if (nanos > state.clockNanos()) {
            return new HeldAt.NotYet();
        }
        if (!state.ring.reachesTime(nanos)) {
            return new HeldAt.TooOld(state.ring.firstIndex());
        }
        // A grant whose event is forgotten is older than what is asked for.
        List<Long> later = state.ring.stream(state.ring.firstOrdinal())
                .filter(it -> it.leaseTimeNanos() > nanos)
                .map(LoggedEvent::logIndex)
                .limit(1)
                .toList();
        long firstLater = later.isEmpty() ? Long.MAX_VALUE : later.get(0);
        return held(name, firstLater, it -> it.leaseTimeNanos() > nanos);
    }

    /** Those that were granted before the one, and have ended with or after the other if they have. */
    private HeldAt held(LockName name, long firstLaterIndex, Predicate<LoggedEvent> isLater) {
        List<HeldAt.PastHold> holds = new ArrayList<>();
        state.ring.stream(state.ring.firstOrdinal())
                .filter(isLater)
                .filter(it -> isOf(name, it))
                .flatMap(it -> ended(it).stream())
                .filter(hold -> grantIndex(hold.token()) < firstLaterIndex)
                .forEach(holds::add);
        Lock lock = state.lock(name);
        if (lock != null) {
            lock.holders.all().stream()
                    .filter(hold -> hold.logIndex < firstLaterIndex)
                    .map(hold ->
                            new HeldAt.PastHold(hold.lease.owner(), hold.lease.label(), hold.token, Optional.empty()))
                    .forEach(holds::add);
        }
        holds.sort(Comparator.comparing(HeldAt.PastHold::token));
        return new HeldAt.Known(holds);
    }

    /** The hold that the event ended, if it did. */
    private static Optional<HeldAt.PastHold> ended(LoggedEvent it) {
        return switch (it.event()) {
            case Event.HoldEnded end -> ended(it, end.owner(), end.label(), end.token(), end.how());
            case Event.Converted end -> ended(it, end.owner(), end.label(), end.before(), End.CONVERTED);
            case Event.HandedOff end -> ended(it, end.from(), end.fromLabel(), end.before(), End.HANDED_OFF);
            default -> Optional.empty();
        };
    }

    private static Optional<HeldAt.PastHold> ended(
            LoggedEvent it, Owner owner, String label, FencingToken token, End how) {
        HeldAt.Ending ending = new HeldAt.Ending(how, it.logIndex(), it.leaseTimeNanos());
        return Optional.of(new HeldAt.PastHold(owner, label, token, Optional.of(ending)));
    }

    private static long grantIndex(FencingToken token) {
        return token.value() / FencingToken.PER_ENTRY;
    }

    private static boolean isOf(LockName name, LoggedEvent it) {
        return it.event().lock().filter(name::equals).isPresent();
    }
}
