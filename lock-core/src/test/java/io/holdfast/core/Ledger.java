package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps account of a history as the clients and watchers see it, and holds every answer and event to the promises of the design (I1 to I4, I6, first come first served). It applies no rule itself: where the table and the naive service err alike, this finds it.
 */
final class Ledger extends Places {
    private final Map<LockName, Long> pausedUntil = new HashMap<>();
    private final Set<SessionId> known = new HashSet<>();
    private final Set<SessionId> usedAgain = new HashSet<>();
    private final Map<Key, Outcome> over = new HashMap<>();

    /** Of the acquires of sets: the locks that they have or wait for yet. */
    private final Map<Key, Set<LockName>> sets = new HashMap<>();

    /** Locks that must be granted yet, since others of their set were. */
    private final Set<LockName> halves = new HashSet<>();

    private @Nullable Owner greatestOwner;
    private final Map<Key, FencingToken> granted = new HashMap<>();
    private final Map<Key, FencingToken> released = new HashMap<>();
    private long index;
    private long greatestToken;
    private int featureLevel = 1;

    void begin(Position position) {
        index = position.index();
        clock = Math.max(clock, position.leaseTimeNanos());
    }

    /** What the entry did before its first command: nothing but ending what is due. */
    void swept(List<Event> events) {
        events.forEach(this::take);
        assertThat(events)
                .as("a sweep grants, and ends what is due")
                .noneMatch(event -> event instanceof Event.Queued || event instanceof Event.SessionOpened);
        assertThat(halves).as("a set is granted as a whole").isEmpty();
    }

    void ran(Command command, Outcome outcome, List<Event> events) {
        events.forEach(this::take);
        assertThat(halves).as("a set is granted as a whole").isEmpty();
        switch (command) {
            case Command.Acquire it -> acquired(it, outcome);
            case Command.GiveUp it -> gaveUp(it, outcome);
            case Command.Release it -> released(it, outcome, events);
            case Command.Convert it -> converted(it, outcome, events);
            case Command.Proclaim it -> proclaimed(it, outcome, events);
            case Command.HandOff it -> handedOff(it, outcome, events);
            case Command.Revoke it -> revoked(it, outcome, events);
            case Command.AcquireAll it -> acquiredAll(it, outcome);
            case Command.GiveUpAll it -> gaveUp(it, outcome);
            case Command.ReleaseAll it -> releasedAll(it, outcome, events);
            case Command.RenewHold it -> {
                if (outcome instanceof Outcome.Renewed renewed) {
                    Place holder = holder(it.name(), renewed.hold());
                    promise(holder, renewed.hold().ttlNanos());
                }
            }
            case Command.OpenSession it -> {
                if (outcome instanceof Outcome.SessionOpened) {
                    promise(it.session());
                }
            }
            case Command.RenewSessions it -> {
                List<SessionId> gone = ((Outcome.SessionsRenewed) outcome).gone();
                it.sessions().stream().filter(id -> !gone.contains(id)).forEach(this::promise);
            }
            case Command.CloseSession it -> assertThat(sessions).doesNotContainKey(it.session());
            case Command.RaiseFeatureLevel it -> {
                int level = ((Outcome.FeatureLevel) outcome).level();
                assertThat(level).isEqualTo(Math.max(featureLevel, it.level()));
                featureLevel = level;
            }
        }
        if (events.stream().anyMatch(Event.SessionOpened.class::isInstance)) {
            opened((Command.OpenSession) command);
        }
    }

    /** I4: nothing is left that was over when the entry was applied. */
    void nothingOutlivesItsEnd() {
        sessions.forEach((id, it) -> assertThat(it.until).as("%s lives", id).isGreaterThan(clock));
        holders.forEach((name, places) -> places.forEach(it -> assertThat(Math.min(leaseUntil(it), it.graceUntil))
                .as("%s holds %s", it.owner, name)
                .isGreaterThan(clock)));
        queues.forEach((name, queue) -> queue.forEach(it -> assertThat(Math.min(leaseUntil(it), it.waitUntil))
                .as("%s waits for %s", it.owner, name)
                .isGreaterThan(clock)));
    }

    /** Whoever is the first in a queue is kept out by those who hold the lock; a set by one of its locks. */
    void nobodyWaitsWithoutReason() {
        queues.forEach((name, queue) -> {
            if (!queue.isEmpty()) {
                Place first = queue.get(0);
                List<LockName> names = first.together.isEmpty() ? List.of(name) : first.together;
                assertThat(names)
                        .as("%s waits for %s", first.owner, names)
                        .anyMatch(one -> !isFirst(one, first.owner) || !hasRoom(one));
            }
        });
    }

    private boolean isFirst(LockName name, Owner owner) {
        return queue(name).get(0).owner.equals(owner);
    }

    /** For the first that waits. */
    private boolean hasRoom(LockName name) {
        if (pausedUntil.getOrDefault(name, 0L) > clock) {
            return false;
        }
        List<Mode> modes =
                new ArrayList<>(holders(name).stream().map(place -> place.mode).toList());
        modes.add(queue(name).get(0).mode);
        return mayHoldTogether(modes);
    }

    long greatestToken() {
        return greatestToken;
    }

    /** Whether its client broke the rule that a session id is used once; then nothing is promised about its numbers. */
    boolean wasUsedAgain(Owner owner) {
        return owner instanceof Owner.OfSession it && usedAgain.contains(it.session());
    }

    // ---- events

    private void take(Event event) {
        switch (event) {
            case Event.Acquired it -> acquired(it);
            case Event.Converted it -> converted(it);
            case Event.PermitsReleased it -> {
                Place place = holder(it.name(), it.owner(), it.token());
                Mode.Permits before = (Mode.Permits) place.mode;
                assertThat(it.left()).isEqualTo(before.permits() - it.permits()).isPositive();
                place.mode = new Mode.Permits(it.left(), before.capacity());
            }
            case Event.HoldEnded it -> ended(it);
            case Event.HandedOff it -> handedOff(it);
            case Event.Revoking it -> {
                Place place = holder(it.name(), it.owner(), it.token());
                assertThat(it.deadlineNanos())
                        .as("never later than said before")
                        .isLessThan(place.graceUntil);
                place.graceUntil = it.deadlineNanos();
            }
            case Event.ValueChanged it -> holder(it.name(), it.owner(), it.token());
            case Event.Queued it -> {
                queue(it.name()).add(new Place(it.owner(), it.mode()));
            }
            case Event.LeftQueue it -> {
                Place waiter = waiter(it.name(), it.owner());
                switch (it.how()) {
                    case EXPIRED -> assertThat(leaseUntil(waiter)).isLessThanOrEqualTo(clock);
                    case TIMED_OUT -> assertThat(waiter.waitUntil).isLessThanOrEqualTo(clock);
                    default -> assertThat(it.how()).isEqualTo(End.GAVE_UP);
                }
                queue(it.name()).remove(waiter);
                waiter.asks.forEach(key -> over(key, it.name(), new Outcome.Ended(it.how(), Optional.empty())));
            }
            case Event.SessionOpened it -> {
                if (!known.add(it.session())) {
                    usedAgain.add(it.session());
                }
            }
            case Event.SessionEnded it -> {
                Promised ended = Objects.requireNonNull(sessions.remove(it.session()));
                if (it.how() == End.EXPIRED) {
                    assertThat(ended.until).as("I3: no early expiry").isLessThanOrEqualTo(clock);
                }
                assertThat(holders.values().stream().flatMap(List::stream))
                        .noneMatch(place -> place.owner.equals(new Owner.OfSession(it.session())));
            }
        }
    }

    private void ended(Event.HoldEnded it) {
        Place holder = holder(it.name(), it.owner(), it.token());
        if (it.how() == End.EXPIRED) {
            assertThat(leaseUntil(holder)).as("I3: no early expiry").isLessThanOrEqualTo(clock);
        }
        if (it.how() == End.REVOKED) {
            assertThat(holder.graceUntil).as("not before the grace is over").isLessThanOrEqualTo(clock);
        }
        if (it.how() != End.RELEASED) {
            pausedUntil.merge(it.name(), clock + holder.lockDelay, Math::max);
        }
        holders(it.name()).remove(holder);
        holder.asks.forEach(key -> over(key, it.name(), new Outcome.Ended(it.how(), Optional.of(it.token()))));
    }

    private void acquired(Event.Acquired it) {
        List<Place> queue = queue(it.name());
        Place next = queue.isEmpty() ? new Place(it.owner(), it.mode()) : queue.remove(0);
        assertThat(it.owner()).as("first come, first served").isEqualTo(next.owner);
        assertThat(pausedUntil.getOrDefault(it.name(), 0L)).as("lock-delay").isLessThanOrEqualTo(clock);
        assertThat(it.mode()).isEqualTo(next.mode);
        next.together.stream()
                .filter(name -> queue(name).stream().anyMatch(place -> place.owner.equals(it.owner())))
                .forEach(halves::add);
        halves.remove(it.name());
        hold(it.name(), next, it.token());
    }

    private void handedOff(Event.HandedOff it) {
        Place from = holder(it.name(), it.from(), it.before());
        Outcome over = new Outcome.Ended(End.HANDED_OFF, Optional.of(it.before()));
        holders(it.name()).remove(from);
        from.asks.forEach(key -> over(key, it.name(), over));
        Place to = queue(it.name()).stream()
                .filter(place -> place.owner.equals(it.to()))
                .findFirst()
                .orElseGet(() -> new Place(it.to(), from.mode));
        if (!queue(it.name()).remove(to)) {
            to.lockDelay = from.lockDelay;
        }
        assertThat(to.mode).isEqualTo(from.mode).isEqualTo(it.mode());
        assertThat(to.together).isEmpty();
        hold(it.name(), to, it.token());
    }

    private void converted(Event.Converted it) {
        Place place = holder(it.name(), it.owner(), it.before());
        assertThat(place.mode).isNotEqualTo(it.mode());
        holders(it.name()).remove(place);
        place.asks.forEach(key -> over.put(key, new Outcome.Ended(End.CONVERTED, Optional.of(it.before()))));
        place.asks.clear();
        place.mode = it.mode();
        hold(it.name(), place, it.token());
    }

    /** What a set was granted for is over with the last of its locks. */
    private void over(Key key, LockName name, Outcome how) {
        Set<LockName> others = sets.get(key);
        if (others != null) {
            others.remove(name);
        }
        if (others == null || others.isEmpty()) {
            over.put(key, how);
        }
    }

    private void hold(LockName name, Place place, FencingToken token) {
        boolean isSameGrant = token.value() == greatestToken && place.owner.equals(greatestOwner);
        if (!isSameGrant) {
            assertThat(token.value())
                    .as("I2: tokens grow")
                    .isGreaterThan(greatestToken)
                    .isPositive();
        }
        greatestOwner = place.owner;
        assertThat(token.value() / FencingToken.PER_ENTRY).isEqualTo(index);
        greatestToken = token.value();
        place.token = greatestToken;
        holders(name).add(place);
        checkTogether(holders(name).stream().map(it -> it.mode).toList());
    }

    /** I1: one holder, or only such as share, or permits of one semaphore and no more than it has. */
    static void checkTogether(List<Mode> modes) {
        assertThat(mayHoldTogether(modes)).as("I1: %s", modes).isTrue();
    }

    private static boolean mayHoldTogether(List<Mode> modes) {
        int capacity = modes.get(0).capacity();
        if (capacity == 0) {
            return modes.size() == 1 || modes.stream().allMatch(Mode.SHARED::equals);
        }
        return modes.stream().allMatch(it -> it.capacity() == capacity)
                && modes.stream().mapToInt(it -> ((Mode.Permits) it).permits()).sum() <= capacity;
    }

    private void opened(Command.OpenSession it) {
        sessions.put(it.session(), new Promised(it.ttlNanos()));
        promise(it.session());
    }

    // ---- answers

    private void acquired(Command.Acquire it, Outcome outcome) {
        Key key = key(it);
        switch (outcome) {
            case Outcome.Granted answer -> {
                mayYetBeGranted(it, key, answer);
                granted(it, key, answer.hold());
            }
            case Outcome.Queued answer -> {
                mayYetBeGranted(it, key, answer);
                Place waiter = waiter(it.name(), it.owner());
                queued(waiter, key, it.terms(), it.waitNanos());
                long ttl = it.owner() instanceof Owner.OneShot ? it.ttlNanos() : 0;
                promise(waiter, ttl);
                answer.holder().ifPresent(hold -> holder(it.name(), hold));
            }
            case Outcome.Held answer -> over.put(key, answer);
            case Outcome.OwnerBusy answer -> over.put(key, answer);
            case Outcome.OtherMode answer -> over.put(key, answer);
            case Outcome.OtherKind answer -> over.put(key, answer);
            case Outcome.PartOfSet answer -> over.put(key, answer);
            case Outcome.Deadlock answer -> over.put(key, answer);
            case Outcome.Ended answer -> over.put(key, answer);
            case Outcome.AlreadyAnswered answer -> over.put(key, answer);
            default -> {
                // Nothing was done, and nothing is promised.
            }
        }
    }

    private void acquiredAll(Command.AcquireAll it, Outcome outcome) {
        Key key = key(it);
        switch (outcome) {
            case Outcome.GrantedAll answer -> {
                mayYetBeGranted(it, key, answer);
                sets.computeIfAbsent(key, k -> names(it.wants()));
                answer.holds().forEach(hold -> granted(it, key, hold));
            }
            case Outcome.Queued answer -> {
                mayYetBeGranted(it, key, answer);
                sets.computeIfAbsent(key, k -> names(it.wants()));
                List<LockName> together = List.copyOf(names(it.wants()));
                for (Want want : it.wants()) {
                    Place waiter = waiter(want.name(), it.owner());
                    waiter.together = together;
                    queued(waiter, key, want.terms(), it.waitNanos());
                    promise(waiter, it.owner() instanceof Owner.OneShot ? it.ttlNanos() : 0);
                }
                answer.holder().ifPresent(hold -> holder(hold.name(), hold));
            }
            case Outcome.Held answer -> over.put(key, answer);
            case Outcome.OwnerBusy answer -> over.put(key, answer);
            case Outcome.OtherKind answer -> over.put(key, answer);
            case Outcome.PartOfSet answer -> over.put(key, answer);
            case Outcome.Deadlock answer -> over.put(key, answer);
            case Outcome.Ended answer -> over.put(key, answer);
            case Outcome.AlreadyAnswered answer -> over.put(key, answer);
            default -> {
                // Nothing was done, and nothing is promised.
            }
        }
    }

    private static Set<LockName> names(List<Want> wants) {
        return new TreeSet<>(wants.stream().map(Want::name).toList());
    }

    private void proclaimed(Command.Proclaim it, Outcome outcome, List<Event> events) {
        boolean changed = events.stream().anyMatch(Event.ValueChanged.class::isInstance);
        if (outcome instanceof Outcome.Proclaimed answer) {
            FencingToken before = released.putIfAbsent(key(it), answer.token());
            if (!wasUsedAgain(it.owner())) {
                assertThat(changed).as("I6: one proclamation").isEqualTo(before == null);
            }
        } else {
            assertThat(changed).isFalse();
        }
    }

    private void handedOff(Command.HandOff it, Outcome outcome, List<Event> events) {
        Optional<Event.HandedOff> done = events.stream()
                .filter(Event.HandedOff.class::isInstance)
                .map(Event.HandedOff.class::cast)
                .findFirst();
        if (outcome instanceof Outcome.HandedOff answer) {
            FencingToken before = released.putIfAbsent(key(it), answer.token());
            if (!wasUsedAgain(it.owner())) {
                assertThat(done.isPresent()).as("I6: one hand-off").isEqualTo(before == null);
            }
            done.ifPresent(event -> {
                Place to = holder(it.name(), it.to(), event.token());
                if (to.asks.isEmpty() && it.to() instanceof Owner.OneShot) {
                    promise(to, it.ttlNanos());
                }
            });
        } else {
            assertThat(done).isEmpty();
        }
    }

    private void revoked(Command.Revoke it, Outcome outcome, List<Event> events) {
        assertThat(events)
                .as("a newer holder is never hit")
                .allMatch(event -> !(event instanceof Event.HoldEnded end && end.how() == End.REVOKED)
                        || ((Event.HoldEnded) event).token().equals(it.token()))
                .allMatch(event -> !(event instanceof Event.Revoking revoking)
                        || revoking.token().equals(it.token()));
        if (outcome instanceof Outcome.Revoking answer) {
            assertThat(answer.hold().token()).isEqualTo(it.token());
            assertThat(holder(it.name(), answer.hold()).graceUntil).isLessThan(Long.MAX_VALUE);
        }
    }

    private void releasedAll(Command.ReleaseAll it, Outcome outcome, List<Event> events) {
        List<Event.HoldEnded> ended = events.stream()
                .filter(Event.HoldEnded.class::isInstance)
                .map(Event.HoldEnded.class::cast)
                .filter(event -> event.how() == End.RELEASED)
                .toList();
        assertThat(ended)
                .allMatch(
                        event -> event.owner().equals(it.owner()) && it.names().contains(event.name()));
        if (outcome instanceof Outcome.Released answer) {
            FencingToken before = released.putIfAbsent(key(it), answer.token());
            if (!wasUsedAgain(it.owner())) {
                assertThat(ended.isEmpty()).as("I6: one release").isEqualTo(before != null);
            }
        } else {
            assertThat(ended).as("a release that is refused has no effect").isEmpty();
        }
    }

    private void queued(Place waiter, Key key, Terms terms, long waitNanos) {
        if (waiter.asks.isEmpty()) {
            waiter.lockDelay = terms.lockDelayNanos();
        }
        if (waiter.asks.add(key)) {
            waiter.waitUntil = Math.max(waiter.waitUntil, later(waitNanos));
        }
    }

    private void granted(Command.Once it, Key key, HoldView hold) {
        Place holder = holder(hold.name(), hold);
        holder.lockDelay = hold.terms().lockDelayNanos();
        assertThat(holder.owner).isEqualTo(it.owner());
        holder.asks.add(key);
        FencingToken before = granted.putIfAbsent(key, hold.token());
        if (before != null && !wasUsedAgain(it.owner())) {
            assertThat(hold.token()).as("I6: one grant").isEqualTo(before);
        }
        promise(holder, hold.ttlNanos());
    }

    private void converted(Command.Convert it, Outcome outcome, List<Event> events) {
        boolean changed = events.stream().anyMatch(Event.Converted.class::isInstance);
        switch (outcome) {
            case Outcome.Granted answer -> {
                mayYetBeGranted(it, key(it), answer);
                assertThat(answer.hold().terms().mode()).isEqualTo(it.mode());
                granted(it, key(it), answer.hold());
            }
            case Outcome.NotAlone answer -> {
                assertThat(changed).isFalse();
                over.put(key(it), answer);
            }
            case Outcome.NotHeld answer -> {
                assertThat(changed).isFalse();
                over.put(key(it), answer);
            }
            default -> assertThat(changed).isFalse();
        }
    }

    private void mayYetBeGranted(Command.Once it, Key key, Outcome answer) {
        if (!wasUsedAgain(it.owner())) {
            assertThat(over.get(key))
                    .as("I6: what was over is not taken up again, as by %s", answer)
                    .isNull();
        }
    }

    private void gaveUp(Command.Once it, Outcome outcome) {
        if (outcome instanceof Outcome.GrantedAll answer) {
            answer.holds().forEach(hold -> holder(hold.name(), hold));
        } else if (outcome instanceof Outcome.Granted answer) {
            holder(it.name(), answer.hold());
        } else if (outcome instanceof Outcome.Ended) {
            over.put(key(it), outcome);
            queues.values().forEach(queue -> queue.forEach(place -> place.asks.remove(key(it))));
        }
    }

    private void released(Command.Release it, Outcome outcome, List<Event> events) {
        boolean ended =
                events.stream().anyMatch(event -> event instanceof Event.HoldEnded end && end.how() == End.RELEASED);
        boolean reduced = events.stream().anyMatch(Event.PermitsReleased.class::isInstance);
        if (outcome instanceof Outcome.PermitsReleased answer) {
            FencingToken before = released.putIfAbsent(key(it), answer.token());
            if (!wasUsedAgain(it.owner())) {
                assertThat(reduced).as("I6: one release").isEqualTo(before == null);
            }
            return;
        }
        assertThat(reduced).as("a release that is refused has no effect").isFalse();
        if (outcome instanceof Outcome.Released answer) {
            it.token().ifPresent(token -> assertThat(answer.token()).isEqualTo(token));
            FencingToken before = released.putIfAbsent(key(it), answer.token());
            if (!wasUsedAgain(it.owner())) {
                assertThat(ended).as("I6: one release").isEqualTo(before == null);
                assertThat(answer.token()).isEqualTo(before == null ? answer.token() : before);
            }
        } else {
            assertThat(ended).as("a release that is refused has no effect").isFalse();
        }
    }
}
