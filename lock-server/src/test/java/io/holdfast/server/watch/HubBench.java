package io.holdfast.server.watch;

import io.holdfast.core.Applied;
import io.holdfast.core.Command;
import io.holdfast.core.End;
import io.holdfast.core.Event;
import io.holdfast.core.FencingToken;
import io.holdfast.core.Limits;
import io.holdfast.core.LockName;
import io.holdfast.core.LockTable;
import io.holdfast.core.Owner;
import io.holdfast.core.Position;
import io.holdfast.core.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A hub whose thread is the test's, with a clock that the test moves. */
final class HubBench {
    static final int KEPT = 8;
    static final int MAX_WATCHERS = 100;
    static final Duration PROGRESS = Duration.ofSeconds(5);

    final TextEncoder encoder = new TextEncoder();
    private long now = -1_000;
    final WatchHub hub;

    HubBench() {
        this(KEPT);
    }

    HubBench(int kept) {
        this(kept, MAX_WATCHERS);
    }

    HubBench(int kept, int maxWatchers) {
        hub = new WatchHub(new WatchConfig(10, maxWatchers, kept), encoder, () -> now);
        hub.outOfTouch(Optional.empty());
        hub.onReplaced(table(0));
        settle();
    }

    /** {@return a table of the first feature level, which remembers no events, at a log index} */
    static LockTable table(long appliedIndex) {
        LockTable table = new LockTable(Limits.DEFAULT);
        if (appliedIndex > 0) {
            table.apply(new Position(appliedIndex, 0), List.of());
        }
        return table;
    }

    /** Applies an entry that opens sessions to a table and, if told to, to the hub. */
    void open(LockTable table, long index, int sessions, boolean isToldHere) {
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            commands.add(
                    new Command.OpenSession(new SessionId(index, i + 1), table.clockNanos(), 1_000_000_000_000L, ""));
        }
        Applied applied = table.apply(new Position(index, 0), commands);
        if (isToldHere) {
            hub.onApplied(applied);
            settle();
        }
    }

    void settle() {
        boolean hasMore = true;
        while (hasMore) {
            hasMore = hub.step();
        }
    }

    void pass(Duration time) {
        now += time.toNanos();
        settle();
    }

    void apply(long index, Event... events) {
        store(index, events);
        settle();
    }

    /** Applies an entry of which the hub hears later. */
    void store(long index, Event... events) {
        hub.onApplied(new Applied(new Position(index, 0), List.of(), Arrays.asList(events)));
    }

    FakeOutlet name(String name) {
        return watch(new Filter.OfName(new LockName(name)), Optional.empty());
    }

    FakeOutlet prefix(String prefix) {
        return watch(new Filter.OfPrefix(prefix), Optional.empty());
    }

    FakeOutlet prefixFrom(String prefix, long index, int number) {
        return watch(new Filter.OfPrefix(prefix), Optional.of(new Place(index, number)));
    }

    FakeOutlet watch(Filter filter, Optional<Place> start) {
        FakeOutlet outlet = new FakeOutlet();
        open(filter, start, outlet);
        return outlet;
    }

    WatchHub.Watch open(Filter filter, Optional<Place> start, FakeOutlet outlet) {
        WatchHub.Watch watch = hub.watch(filter, start, PROGRESS, outlet).orElseThrow();
        settle();
        return watch;
    }

    static Event ended(String name) {
        return new Event.HoldEnded(new LockName(name), new Owner.OneShot("A"), "", new FencingToken(1), End.RELEASED);
    }

    static Event opened() {
        return new Event.SessionOpened(new SessionId(1, 2), "");
    }
}
