package io.holdfast.server.metrics;

import io.holdfast.core.Applied;
import io.holdfast.core.End;
import io.holdfast.core.Event;
import io.holdfast.core.LockTable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Counts what one replica applies. Written by the thread that applies, read by any. */
public final class ReplicaMeters {
    private final Counter entries;
    private final Counter commands;
    private final Counter grants;
    private final Counter queued;
    private final Counter sessionsOpened;
    private final Map<End, Counter> holdsEnded = new EnumMap<>(End.class);
    private final Map<End, Counter> waitsEnded = new EnumMap<>(End.class);
    private final Map<End, Counter> sessionsEnded = new EnumMap<>(End.class);

    /** What the table says after the last entry. */
    private record Standing(long appliedIndex, long leaseTimeNanos, int leases) {}

    // Replaced by the thread that applies, read by whoever collects.
    private volatile Standing standing = new Standing(0, 0, 0);

    ReplicaMeters(MeterRegistry registry) {
        entries = counter(registry, "holdfast.entries", "Log entries applied, ticks included");
        commands = counter(registry, "holdfast.commands", "Commands applied");
        grants = counter(registry, "holdfast.grants", "Locks granted");
        queued = counter(registry, "holdfast.waits", "Acquires that had to queue");
        sessionsOpened = counter(registry, "holdfast.sessions.opened", "Sessions opened");
        for (End how : End.values()) {
            holdsEnded.put(how, counter(registry, "holdfast.holds.ended", "Holds that ended", how));
            waitsEnded.put(how, counter(registry, "holdfast.waits.ended", "Waiters that left without the lock", how));
            sessionsEnded.put(how, counter(registry, "holdfast.sessions.ended", "Sessions that ended", how));
        }
        gauge(registry, "holdfast.applied.index", "Log index of the last entry applied", Standing::appliedIndex);
        gauge(registry, "holdfast.leases", "Sessions, one-shot holds and one-shot waits that live", Standing::leases);
        gauge(
                registry,
                "holdfast.lease.time.seconds",
                "Lease time; it stands still while there is no leader, and while no lease lives",
                it -> it.leaseTimeNanos() / (double) TimeUnit.SECONDS.toNanos(1));
    }

    /**
     * Counts one entry.
     *
     * @param applied what it did
     * @param table the state just after it; not kept
     */
    public void count(Applied applied, LockTable table) {
        entries.increment();
        commands.increment(applied.outcomes().size());
        applied.events().forEach(this::count);
        show(table);
    }

    /**
     * Takes the standing of a table that came from a snapshot.
     *
     * @param table the state; not kept
     */
    public void show(LockTable table) {
        standing = new Standing(table.appliedIndex(), table.clockNanos(), table.leaseCount());
    }

    private void count(Event event) {
        switch (event) {
            case Event.Acquired acquired -> grants.increment();
            case Event.Converted converted -> grants.increment();
            case Event.HandedOff passedOn -> grants.increment();
            case Event.Revoking revoking -> {}
            case Event.PermitsReleased released -> {}
            case Event.ValueChanged changed -> {}
            case Event.HoldEnded ended -> increment(holdsEnded, ended.how());
            case Event.Queued waits -> queued.increment();
            case Event.LeftQueue left -> increment(waitsEnded, left.how());
            case Event.SessionOpened opened -> sessionsOpened.increment();
            case Event.SessionEnded ended -> increment(sessionsEnded, ended.how());
        }
    }

    private static void increment(Map<End, Counter> counters, End how) {
        Objects.requireNonNull(counters.get(how)).increment();
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<Standing> value) {
        Gauge.builder(name, this, it -> value.applyAsDouble(it.standing))
                .description(description)
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String description, End how) {
        return Counter.builder(name)
                .description(description)
                .tag("how", how.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }
}
