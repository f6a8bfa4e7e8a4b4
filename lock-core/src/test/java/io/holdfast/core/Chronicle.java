package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rebuilds who holds what from nothing but the events, keeps it for each entry, and holds the store's own memory to it. */
final class Chronicle {
    /** Who held what after an entry. */
    private record Page(long index, long clock, Map<LockName, Map<FencingToken, Owner>> holders) {}

    private final Limits limits;
    private final Map<LockName, Map<FencingToken, Owner>> holders = new TreeMap<>();
    private final List<Page> pages = new ArrayList<>();
    private final List<LoggedEvent> events = new ArrayList<>();
    private boolean isKept;
    private long ordinals;
    private long forgottenUpTo;
    private long forgottenUpToNanos;

    Chronicle(Limits limits) {
        this.limits = limits;
    }

    /**
     * Takes in an entry.
     *
     * @param marks how many events there were before the first command, and after each
     */
    void see(Applied applied, List<Integer> marks, LockTable table) {
        long index = applied.position().index();
        int firstKept = isKept ? 0 : firstKept(applied, marks, table);
        for (int i = 0; i < applied.events().size(); i++) {
            take(applied.events().get(i));
            if (i >= firstKept) {
                events.add(new LoggedEvent(
                        ++ordinals, index, table.clockNanos(), applied.events().get(i)));
                forget();
            }
        }
        checkHolders(table);
        pages.add(new Page(index, table.clockNanos(), copy()));
        checkEvents(table);
        checkHindsight(table);
    }

    /** The first event after the store was raised to the level at which it begins to keep them. */
    private int firstKept(Applied applied, List<Integer> marks, LockTable table) {
        for (int i = 0; i < applied.outcomes().size(); i++) {
            if (applied.outcomes().get(i) instanceof Outcome.FeatureLevel level && level.level() >= 2) {
                isKept = true;
                forgottenUpTo = applied.position().index();
                forgottenUpToNanos = table.clockNanos();
                return marks.get(i + 1);
            }
        }
        return Integer.MAX_VALUE;
    }

    private void forget() {
        while (events.size() > 1
                && (events.size() > limits.events()
                        || events.stream().mapToLong(LoggedEvent::size).sum() > limits.eventBytes())) {
            LoggedEvent gone = events.remove(0);
            forgottenUpTo = Math.max(forgottenUpTo, gone.logIndex());
            forgottenUpToNanos = Math.max(forgottenUpToNanos, gone.leaseTimeNanos());
        }
    }

    private void take(Event event) {
        switch (event) {
            case Event.Acquired it -> add(it.name(), it.token(), it.owner());
            case Event.HoldEnded it -> remove(it.name(), it.token(), it.owner());
            case Event.Converted it -> {
                remove(it.name(), it.before(), it.owner());
                add(it.name(), it.token(), it.owner());
            }
            case Event.HandedOff it -> {
                remove(it.name(), it.before(), it.from());
                add(it.name(), it.token(), it.to());
            }
            default -> {
                // Changes nobody who holds.
            }
        }
    }

    private void add(LockName name, FencingToken token, Owner owner) {
        assertThat(holders.computeIfAbsent(name, key -> new TreeMap<>()).put(token, owner))
                .isNull();
    }

    private void remove(LockName name, FencingToken token, Owner owner) {
        assertThat(holders.getOrDefault(name, new TreeMap<>()).remove(token)).isEqualTo(owner);
        holders.values().removeIf(Map::isEmpty);
    }

    private Map<LockName, Map<FencingToken, Owner>> copy() {
        Map<LockName, Map<FencingToken, Owner>> copy = new TreeMap<>();
        holders.forEach((name, holds) -> copy.put(name, new TreeMap<>(holds)));
        return copy;
    }

    private void checkHolders(LockTable table) {
        Map<LockName, Map<FencingToken, Owner>> present = new TreeMap<>();
        for (LockView lock : table.locks("", "", Integer.MAX_VALUE, 0)) {
            lock.holders()
                    .forEach(hold -> present.computeIfAbsent(lock.name(), key -> new TreeMap<>())
                            .put(hold.token(), hold.owner()));
        }
        assertThat(holders).as("rebuilt from the events").isEqualTo(present);
    }

    private void checkEvents(LockTable table) {
        List<LoggedEvent> after =
                events.stream().filter(it -> it.logIndex() > forgottenUpTo).toList();
        assertThat(table.eventsAfter(forgottenUpTo, Integer.MAX_VALUE))
                .isEqualTo(new EventsAfter.Some(after, ordinals + 1));
        if (forgottenUpTo > 0) {
            assertThat(table.eventsAfter(forgottenUpTo - 1, 1)).isEqualTo(new EventsAfter.TooOld(forgottenUpTo + 1));
        }
        assertThat(table.nextEventOrdinal()).isEqualTo(ordinals + 1);
        List<LoggedEvent> paged = new ArrayList<>();
        for (long next = ordinals + 1 - events.size(); next <= ordinals; ) {
            EventsAfter.Some page = (EventsAfter.Some) table.eventsFrom(next, 2);
            paged.addAll(page.events());
            next = page.nextOrdinal();
        }
        assertThat(paged).isEqualTo(events);
    }

    /** At the first index that is known, in the middle, and lately; and just outside. */
    private void checkHindsight(LockTable table) {
        List<Page> known =
                pages.stream().filter(it -> it.index >= forgottenUpTo).toList();
        Page last = pages.get(pages.size() - 1);
        if (!isKept) {
            return;
        }
        for (Page page : List.of(known.get(0), known.get(known.size() / 2), known.get(Math.max(0, known.size() - 2)))) {
            for (int i = 0; i < 3; i++) {
                LockName name = new LockName("n" + i);
                assertThat(held(table.heldAt(name, page.index))).isEqualTo(page.holders.getOrDefault(name, Map.of()));
                if (page.clock >= forgottenUpToNanos) {
                    Page atTime = pages.stream()
                            .filter(it -> it.clock <= page.clock)
                            .reduce((one, other) -> other)
                            .orElseThrow();
                    assertThat(held(table.heldAtTime(name, page.clock)))
                            .isEqualTo(atTime.holders.getOrDefault(name, Map.of()));
                }
            }
        }
        LockName name = new LockName("n0");
        if (forgottenUpTo > 0) {
            assertThat(table.heldAt(name, forgottenUpTo - 1)).isEqualTo(new HeldAt.TooOld(forgottenUpTo + 1));
        }
        assertThat(table.heldAt(name, last.index + 1)).isEqualTo(new HeldAt.NotYet());
        assertThat(table.heldAtTime(name, last.clock + 1)).isEqualTo(new HeldAt.NotYet());
    }

    private static Map<FencingToken, Owner> held(HeldAt at) {
        Map<FencingToken, Owner> held = new TreeMap<>();
        ((HeldAt.Known) at).holds().forEach(it -> held.put(it.token(), it.owner()));
        return held;
    }
}
