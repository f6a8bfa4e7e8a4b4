package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Everything that the store knows, as of one applied index. Without rules: those are in the classes that change it. */
final class State {
    private static final int EVENTS_FROM = 2;

    final Limits limits;

    // Sorted: iteration order is seen by listing, by the digest and by snapshots.
    final NavigableMap<LockName, Lock> locks = new TreeMap<>();
    final NavigableMap<SessionId, Lease.OfSession> sessions = new TreeMap<>();

    /** How many locks each namespace has; a name that has none is on its own. */
    private final NavigableMap<String, Integer> locksByNamespace = new TreeMap<>();

    final DeadlineHeap deadlines = new DeadlineHeap();
    final IdentifiedMemory<RequestId, Past> finished;
    final IdentifiedMemory<SessionId, End> endedSessions;

    /** Whoever makes, changes or ends a session, hold or waiter marks it here; the memories keep their own account. */
    final Unsaved unsaved = new Unsaved();

    /** Sessions, one-shot holds and one-shot waits. */
    int leaseCount;

    /** From feature level 2. */
    final EventRing ring;

    private final List<Event> events = new ArrayList<>();
    private long appliedIndex;
    private long clockNanos;
    private long lastToken;
    private long lastSequence;
    private int featureLevel;

    /** A state with these scalars, and nothing in it. */
    State(Limits limits, StoreImage store) {
        this.limits = limits;
        this.finished = new IdentifiedMemory<>(
                limits.finishedRequests(),
                limits.dedupeWindowNanos(),
                store.finished(),
                Image.OfFinished::new,
                ImageKey.OfFinished::new);
        this.endedSessions = new IdentifiedMemory<>(
                limits.finishedRequests(),
                limits.dedupeWindowNanos(),
                store.ended(),
                Image.OfEnded::new,
                ImageKey.OfEnded::new);
        this.ring = new EventRing(limits.events(), limits.eventBytes(), store.events());
        this.appliedIndex = store.appliedIndex();
        this.clockNanos = store.clockNanos();
        this.lastToken = store.lastToken();
        this.lastSequence = store.lastSequence();
        this.featureLevel = store.featureLevel();
    }

    /** Moves to the next entry. The lease clock never falls, whatever a leader stamps. */
    void moveTo(Position next) {
        if (next.index() <= appliedIndex) {
            throw new IllegalArgumentException("index " + next.index() + " after " + appliedIndex);
        }
        appliedIndex = next.index();
        clockNanos = Math.max(clockNanos, next.leaseTimeNanos());
        finished.forgetOld(clockNanos);
        endedSessions.forgetOld(clockNanos);
    }

    long appliedIndex() {
        return appliedIndex;
    }

    long clockNanos() {
        return clockNanos;
    }

    FencingToken nextToken() {
        FencingToken token = FencingToken.next(lastToken, appliedIndex);
        lastToken = token.value();
        return token;
    }

    long nextSequence() {
        return ++lastSequence;
    }

    int featureLevel() {
        return featureLevel;
    }

    /** {@return the level now} */
    int raiseFeatureLevel(int level) {
        if (featureLevel < EVENTS_FROM && level >= EVENTS_FROM) {
            ring.beginAfter(appliedIndex, clockNanos);
        }
        featureLevel = Math.max(featureLevel, level);
        return featureLevel;
    }

    /** Marks the records in which the lease lies. */
    void changed(Lease lease) {
        lease.kept().forEach(unsaved::changed);
    }

    /** Whether a sweep left something that is due, for lack of room in its batch. */
    boolean hasDue() {
        return deadlines.earliest().filter(it -> it.isDue(clockNanos)).isPresent();
    }

    void tell(Event event) {
        events.add(event);
        if (featureLevel >= EVENTS_FROM) {
            ring.add(appliedIndex, clockNanos, event);
        }
    }

    List<Event> takeEvents() {
        List<Event> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    /** The lock of that name, which begins now if nobody had a part in it. */
    Lock lockFor(LockName name, int capacity) {
        Lock present = locks.get(name);
        if (present != null) {
            return present;
        }
        Lock lock = new Lock(name, capacity);
        locks.put(name, lock);
        name.namespace().ifPresent(it -> locksByNamespace.merge(it, 1, Integer::sum));
        return lock;
    }

    /** Forgets a lock that nobody has a part in any more. */
    void forget(Lock lock) {
        if (locks.remove(lock.name, lock)) {
            lock.name.namespace().ifPresent(this::forgetOneOf);
        }
    }

    private void forgetOneOf(String namespace) {
        int left = locksByNamespace.merge(namespace, -1, Integer::sum);
        if (left == 0) {
            locksByNamespace.remove(namespace);
        }
    }

    /** Why there cannot be locks of these names, as far as there are none yet. */
    Optional<Outcome> refusalOfNames(List<LockName> names) {
        List<LockName> added =
                names.stream().filter(name -> !locks.containsKey(name)).toList();
        if (featureLevel < 2 || added.isEmpty()) {
            return Optional.empty();
        }
        if (locks.size() + added.size() > limits.locks()) {
            return Optional.of(new Outcome.LimitReached("locks of the store", limits.locks()));
        }
        NavigableMap<String, Integer> after = new TreeMap<>();
        for (LockName name : added) {
            name.namespace()
                    .ifPresent(it -> after.merge(it, locksByNamespace.getOrDefault(it, 0) + 1, (was, n) -> was + 1));
        }
        return after.values().stream().anyMatch(count -> count > limits.locksPerNamespace())
                ? Optional.of(new Outcome.LimitReached("locks of one namespace", limits.locksPerNamespace()))
                : Optional.empty();
    }

    /** Puts a waiter into its queues. */
    void join(Waiter waiter) {
        waiter.lease.attach(waiter);
        for (Want want : waiter.wants) {
            lockFor(want.name(), want.terms().mode().capacity()).queue.add(waiter);
        }
        if (waiter.lease.waitCount() == 2) {
            waiter.lease.waits().forEach(this::entangle);
        } else {
            entangle(waiter);
        }
    }

    /** Takes a waiter out of its queues. */
    void leave(Waiter waiter) {
        waiter.wants.forEach(
                want -> Objects.requireNonNull(locks.get(want.name())).queue.remove(waiter));
        waiter.lease.detach(waiter);
        if (waiter.lease.waitCount() == 1) {
            waiter.lease.waits().forEach(this::entangle);
        }
    }

    private void entangle(Waiter waiter) {
        boolean isEntangled = waiter.isForSet() || waiter.lease.waitCount() > 1;
        for (Want want : waiter.wants) {
            Objects.requireNonNull(locks.get(want.name())).queue.setEntangled(waiter, isEntangled);
        }
    }

    @Nullable
    Lock lock(LockName name) {
        return locks.get(name);
    }

    Optional<HoldView> holder(LockName name) {
        Lock lock = locks.get(name);
        return lock == null ? Optional.empty() : lock.holder(clockNanos);
    }

    StoreImage image() {
        return new StoreImage(
                appliedIndex,
                clockNanos,
                lastToken,
                lastSequence,
                featureLevel,
                finished.image(),
                endedSessions.image(),
                ring.image());
    }

    long digest() {
        Digest digest = new Digest();
        // Not the applied index: a store restored with a new epoch has another, and the same state.
        digest.add(clockNanos)
                .add(lastToken)
                .add(lastSequence)
                .add(featureLevel)
                .add(leaseCount);
        digest.add(locks.size());
        locks.values().forEach(lock -> addTo(digest, lock));
        digest.add(sessions.size());
        sessions.values().forEach(session -> {
            addTo(digest, session);
            if (featureLevel > 1) {
                digest.add(session.metadata());
            }
            session.answers.addTo(digest);
        });
        finished.addTo(digest, (d, id, past) -> d.add(id).add(past));
        endedSessions.addTo(digest, (d, id, end) -> d.add(id).add(end.name()));
        if (featureLevel >= EVENTS_FROM) {
            ring.addTo(digest);
        }
        return digest.value();
    }

    /** In feature level 1 exactly as the first version did: its members compare their digests with ours. */
    private void addTo(Digest digest, Lock lock) {
        digest.add(lock.name.value());
        if (featureLevel > 1) {
            digest.add(lock.holders.size());
            digest.add(lock.delay == null ? -1 : lock.delay.deadlineNanos());
            digest.add(lock.delay == null ? -1 : lock.delay.sequence);
        }
        for (Hold hold : lock.holders.all()) {
            digest.add(hold.token.value()).add(hold.logIndex).add(hold.grantedAtNanos);
            addTo(digest, hold.terms);
            addTo(digest, hold.set);
            addTo(digest, hold.notice);
            addTo(digest, hold.requests);
            addTo(digest, hold.lease);
        }
        digest.add(lock.queue.size());
        for (Waiter waiter : lock.queue.all()) {
            digest.add(waiter.sequence)
                    .add(waiter.logIndex)
                    .add(waiter.queuedAtNanos)
                    .add(waiter.deadlineNanos());
            addTo(digest, waiter.termsOf(lock.name));
            addTo(digest, waiter.requests);
            addTo(digest, waiter.lease);
        }
    }

    private void addTo(Digest digest, @Nullable HoldSet set) {
        if (featureLevel > 1) {
            addTo(digest, set == null ? List.of() : set.requests);
        }
    }

    private void addTo(Digest digest, @Nullable Notice notice) {
        if (featureLevel > 1) {
            digest.add(notice == null ? -1 : notice.deadlineNanos());
        }
        if (notice != null) {
            digest.add(notice.sequence).add(notice.reason).add(notice.by);
        }
    }

    private void addTo(Digest digest, Terms terms) {
        if (featureLevel > 1) {
            digest.add(terms);
        }
    }

    private static void addTo(Digest digest, List<Request> requests) {
        digest.add(requests.size());
        requests.forEach(digest::add);
    }

    private static void addTo(Digest digest, Lease lease) {
        digest.add(lease.owner()).add(lease.sequence).add(lease.deadlineNanos()).add(lease.ttlNanos());
        digest.add(lease.label()).add(lease.holds().size()).add(lease.waits().size());
    }
}
