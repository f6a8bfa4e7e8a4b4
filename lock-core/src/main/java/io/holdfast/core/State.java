package io.holdfast.core;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Everything that the store knows, as of one applied index. Without rules: those are in the classes that change it. */
final class State {
    final Limits limits;

    // Sorted: iteration order is seen by listing and by the digest.
    final NavigableMap<LockName, Lock> locks = new TreeMap<>();
    final NavigableMap<SessionId, Lease.OfSession> sessions = new TreeMap<>();

    final DeadlineHeap deadlines = new DeadlineHeap();
    final IdentifiedMemory<RequestId, Past> finished;
    final IdentifiedMemory<SessionId, End> endedSessions;

    /** Sessions, one-shot holds and one-shot waits. */
    int leaseCount;

    private final List<Event> events = new ArrayList<>();
    private Position position = new Position(1, 0);
    private long appliedIndex;
    private long clockNanos;
    private long lastToken;
    private long lastSequence;
    private int featureLevel = 1;

    State(Limits limits) {
        this.limits = limits;
        this.finished = new IdentifiedMemory<>(limits.finishedRequests(), limits.dedupeWindowNanos());
        this.endedSessions = new IdentifiedMemory<>(limits.finishedRequests(), limits.dedupeWindowNanos());
    }

    /** Moves to the next entry. The lease clock never falls, whatever a leader stamps. */
    void moveTo(Position next) {
        if (next.index() <= appliedIndex) {
            throw new IllegalArgumentException("index " + next.index() + " after " + appliedIndex);
        }
        position = next;
        appliedIndex = next.index();
        clockNanos = Math.max(clockNanos, next.leaseTimeNanos());
        finished.forgetOld(clockNanos);
        endedSessions.forgetOld(clockNanos);
    }

    Position position() {
        return position;
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
        featureLevel = Math.max(featureLevel, level);
        return featureLevel;
    }

    void tell(Event event) {
        events.add(event);
    }

    List<Event> takeEvents() {
        List<Event> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    @Nullable
    Lock lock(LockName name) {
        return locks.get(name);
    }

    Optional<HoldView> holder(LockName name) {
        return Optional.ofNullable(locks.get(name)).map(lock -> lock.hold().view(clockNanos));
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
            session.answers.addTo(digest);
        });
        finished.addTo(digest, (d, id, past) -> d.add(id).add(past));
        endedSessions.addTo(digest, (d, id, end) -> d.add(id).add(end.name()));
        return digest.value();
    }

    private static void addTo(Digest digest, Lock lock) {
        Hold hold = lock.hold();
        digest.add(lock.name.value()).add(hold.token.value()).add(hold.logIndex).add(hold.grantedAtNanos);
        addTo(digest, hold.requests);
        addTo(digest, hold.lease);
        digest.add(lock.waiterCount());
        for (Waiter waiter : lock.waiters()) {
            digest.add(waiter.sequence)
                    .add(waiter.logIndex)
                    .add(waiter.queuedAtNanos)
                    .add(waiter.deadlineNanos());
            addTo(digest, waiter.requests);
            addTo(digest, waiter.lease);
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
