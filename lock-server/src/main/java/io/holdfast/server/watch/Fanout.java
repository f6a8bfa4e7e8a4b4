package io.holdfast.server.watch;

import io.holdfast.server.watch.EventRing.Extent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings events from the ring to watchers, in rounds: a round takes what has come in since the last one, so the busier it is, the more events share a message. Owned by the hub's thread.
 */
final class Fanout {
    private static final Logger LOG = LoggerFactory.getLogger(Fanout.class);
    private static final int MAX_ROUND = 4_096;

    private final EventRing ring;
    private final Encoder encoder;
    private final Batches batches;
    private final LongSupplier nanoTime;
    private final Groups groups = new Groups();
    private final Set<Watcher> all = new LinkedHashSet<>();

    /** Those whose beginning is yet to come. */
    private final Set<Watcher> early = new LinkedHashSet<>();

    /** Those who would not take what there was for them. */
    private final Set<Watcher> behind = new LinkedHashSet<>();

    // Up to where events have been brought, and up to which log index that is all.
    private long seen;
    private long completeTo;
    private int restarts;

    private final Transport transport;

    Fanout(EventRing ring, Encoder encoder, LongSupplier nanoTime) {
        this.ring = ring;
        this.encoder = encoder;
        this.batches = new Batches(ring, encoder);
        this.nanoTime = nanoTime;
        this.transport = new Transport(nanoTime);
        goTo(ring.extent());
    }

    /** {@return whether nothing has come in since the last round} */
    boolean isAtEnd() {
        Extent extent = ring.extent();
        return extent.restarts() == restarts && extent.next() == seen && extent.appliedIndex() == completeTo;
    }

    /** Lets a watcher begin where it wants to, or tells it that it cannot. */
    void begin(Watcher watcher) {
        if (watcher.isOver) {
            return;
        }
        Extent extent = ring.extent();
        if (extent.restarts() != restarts) {
            round(); // that ends all watches, but not this one
        }
        all.add(watcher);
        if (watcher.start.isEmpty()) {
            watcher.cursor = seen;
            greet(watcher, completeTo);
            join(watcher);
            return;
        }
        Place start = watcher.start.get();
        if (start.logIndex() <= extent.coveredAfter()) {
            cut(watcher, new WatchEnd.TooOld(extent.coveredAfter() + 1));
            return;
        }
        greet(watcher, start.logIndex() - 1);
        early.add(watcher);
        beginIfDue(watcher);
    }

    private void beginIfDue(Watcher watcher) {
        Place start = watcher.start.orElseThrow();
        if (start.logIndex() > completeTo) {
            return;
        }
        early.remove(watcher);
        watcher.cursor = Math.min(seen, ring.sequenceOf(start));
        join(watcher);
        pump(watcher);
    }

    private void join(Watcher watcher) {
        watcher.group = groups.join(watcher.filter, watcher);
    }

    /** A watcher takes messages again. */
    void ready(Watcher watcher) {
        transport.drained(watcher);
        if (behind.contains(watcher)) {
            pump(watcher);
        }
        goOn();
    }

    /** Sends those who were put off what there is for them, as far as there is room. */
    private void goOn() {
        for (Watcher next = transport.next(); next != null; next = transport.next()) {
            pump(next);
        }
    }

    /** A watcher has left. */
    void leave(Watcher watcher) {
        watcher.isOver = true;
        transport.forget(watcher);
        all.remove(watcher);
        early.remove(watcher);
        behind.remove(watcher);
        if (watcher.group != null) {
            groups.leave(watcher.group, watcher);
        }
    }

    void cutAll(WatchEnd why) {
        List.copyOf(all).forEach(watcher -> cut(watcher, why));
    }

    private void cut(Watcher watcher, WatchEnd why) {
        leave(watcher);
        try {
            watcher.outlet.end(why);
        } catch (RuntimeException e) {
            LOG.debug("A watcher had gone before it could be told that its watch ends", e);
        }
    }

    /** Brings what has come in to all who see it. */
    void round() {
        Extent extent = ring.extent();
        if (extent.restarts() != restarts) {
            cutAll(new WatchEnd.Interrupted("this node went on from a snapshot of the leader"));
            goTo(extent);
            return;
        }
        List<Frame> fresh = ring.read(seen, extent.next(), MAX_ROUND);
        long from = seen;
        if (fresh == null) {
            overrun(extent);
            return;
        }
        seen += fresh.size();
        completeTo = completeAt(seen, extent);
        batches.beginRound(from, seen, completeTo);
        Set<Group> touched = new LinkedHashSet<>();
        for (Frame frame : fresh) {
            groups.forEachThatSees(frame.told, group -> {
                group.fresh.add(frame);
                touched.add(group);
            });
        }
        for (Group group : touched) {
            bring(group, from);
            group.fresh.clear();
        }
        batches.endRound();
        if (!early.isEmpty()) {
            List.copyOf(early).forEach(this::beginIfDue);
        }
    }

    private void bring(Group group, long from) {
        // Whoever turns out to have gone leaves the group.
        for (Watcher watcher : List.copyOf(group.members)) {
            if (!behind.contains(watcher)) {
                watcher.cursor = from;
                pump(watcher);
            }
        }
    }

    /** Sends a watcher what there is for it, as long as it takes it. */
    private void pump(Watcher watcher) {
        Group group = watcher.group;
        while (group != null && !watcher.isOver && watcher.cursor < seen) {
            int room = transport.room();
            if (room == 0) {
                behind.add(watcher);
                transport.putOff(watcher);
                return;
            }
            Batch batch = batches.next(group, watcher.cursor, room);
            if (batch == null) {
                cut(watcher, tooSlow());
                return;
            }
            if (!batch.isEmpty() && !watcher.outlet.isReady()) {
                behind.add(watcher);
                return;
            }
            if (!batch.isEmpty()) {
                send(watcher, batch.message());
            }
            watcher.cursor = batch.next();
        }
        behind.remove(watcher);
    }

    private void greet(Watcher watcher, long index) {
        send(watcher, encoder.head(index));
    }

    private void send(Watcher watcher, byte[] message) {
        try {
            transport.drained(watcher); // or it would not be ready
            watcher.outlet.send(message);
            watcher.sentAtNanos = nanoTime.getAsLong();
            if (!watcher.outlet.isReady()) {
                transport.waits(watcher, message.length);
            }
        } catch (RuntimeException e) {
            LOG.debug("A watcher has gone", e);
            leave(watcher);
        }
    }

    /** Looks after those who are slow, and those who have not heard anything for long. */
    void sweep() {
        goOn();
        long first = ring.extent().first();
        for (Watcher watcher : List.copyOf(behind)) {
            if (watcher.cursor < first) {
                cut(watcher, tooSlow());
            }
        }
        long now = nanoTime.getAsLong();
        byte @Nullable [] progress = null;
        for (Watcher watcher : List.copyOf(all)) {
            boolean isDue = now - watcher.sentAtNanos >= watcher.progressNanos;
            if (isDue && watcher.group != null && !behind.contains(watcher) && watcher.outlet.isReady()) {
                progress = progress == null ? encoder.head(completeTo) : progress;
                send(watcher, progress);
            }
        }
    }

    private WatchEnd tooSlow() {
        return new WatchEnd.TooSlow(ring.capacity());
    }

    /** The ring has lost what nobody was told yet: this thread did not get to run for long. */
    private void overrun(Extent extent) {
        LOG.warn("Watchers are cut off: more than {} events came in before they could be told", ring.capacity());
        cutAll(tooSlow());
        goTo(extent);
    }

    private void goTo(Extent extent) {
        restarts = extent.restarts();
        seen = extent.next();
        completeTo = extent.appliedIndex();
        batches.beginRound(seen, seen, completeTo);
        batches.endRound();
    }

    private long completeAt(long sequence, Extent extent) {
        List<Frame> next = ring.read(sequence, extent.next(), 1);
        return next == null || next.isEmpty()
                ? extent.appliedIndex()
                : next.get(0).told.place().logIndex() - 1;
    }
}
