package io.holdfast.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The lock table: the state of the store as of one applied index, and the only place where rules about locks stand.
 *
 * <p>Not thread safe: one thread applies; whoever reads must keep it from applying meanwhile.
 */
public final class LockTable {
    /** The highest feature level that this version knows. A cluster is raised to it once all its members are of this version or a later one. */
    public static final int NEWEST_FEATURE_LEVEL = 2;

    private final State state;
    private final Leases leases;
    private final Requests requests;
    private final Snapshots snapshots;
    private final Hindsight hindsight;
    private final Deadlocks deadlocks;

    /**
     * Creates the table of a new cluster: index 0, lease time 0, nothing held.
     *
     * @param limits the bounds of the store, the same on every node
     */
    public LockTable(Limits limits) {
        this(new State(limits, StoreImage.NEW));
    }

    private LockTable(State state) {
        this.state = state;
        Memory memory = new Memory(state);
        Grants grants = new Grants(state, memory);
        leases = new Leases(state, grants);
        deadlocks = new Deadlocks(state);
        requests = new Requests(state, grants, leases, memory, deadlocks);
        snapshots = new Snapshots(state);
        hindsight = new Hindsight(state);
    }

    /**
     * Makes a table of what a snapshot kept. It goes on as the one that left the records behind: the same outcomes, events and tokens for the same entries, for ever. Its first {@link #takeChanges} counts from here.
     *
     * <p>A cluster that begins a new log passes {@link StoreImage#at} a higher index; the next entry must come after it, and tokens follow.
     *
     * @param limits the bounds of the store, as they were
     * @param store the store as a whole
     * @param images all other records: sessions, then holds, then waiters, finished requests, ended sessions and events; the last three by ordinal. Names, tokens and ids may come in any order, so the order of {@link ImageKey} will do, and so will that of bytes
     * @return a table of its own
     * @throws IllegalArgumentException if the records do not belong together; the message names the first that does not
     */
    public static LockTable restore(Limits limits, StoreImage store, Iterable<Image> images) {
        return new LockTable(Restore.of(limits, store, images));
    }

    /**
     * Applies one committed entry.
     *
     * <p>First moves the lease clock to {@code position.leaseTimeNanos()}, then expires what is due, then runs the commands in order. Gives the same result for the same state and entry on every node: replicas depend on it (invariant I5).
     *
     * @param position log index (greater than any applied before) and lease time of the entry
     * @param commands what the entry asks; none in a tick
     * @return one outcome for each command, in order, and the events that watchers see
     * @throws IllegalArgumentException if the index does not grow; the state is unchanged
     */
    public Applied apply(Position position, List<Command> commands) {
        state.moveTo(position);
        leases.sweep();
        List<Outcome> outcomes = new ArrayList<>(commands.size());
        for (Command command : commands) {
            outcomes.add(run(command));
        }
        return new Applied(position, outcomes, state.takeEvents());
    }

    private Outcome run(Command command) {
        if (command.featureLevel() > state.featureLevel()) {
            return new Outcome.FeatureLevelTooLow(command.featureLevel(), state.featureLevel());
        }
        return switch (command) {
            case Command.Once once -> requests.run(once);
            case Command.OpenSession open -> openSession(open);
            case Command.CloseSession close -> closeSession(close);
            case Command.RenewSessions renew -> renewSessions(renew);
            case Command.RenewHold renew -> requests.renew(renew);
            case Command.Revoke revoke -> requests.revoke(revoke);
            case Command.RaiseFeatureLevel raise -> new Outcome.FeatureLevel(state.raiseFeatureLevel(raise.level()));
        };
    }

    private Outcome openSession(Command.OpenSession open) {
        Lease.OfSession session = leases.session(open.session());
        if (session != null) {
            leases.renew(session);
            return new Outcome.SessionOpened(session.view(state.clockNanos()));
        }
        if (state.endedSessions.find(open.session()).isPresent()) {
            return new Outcome.NoSuchSession();
        }
        if (!state.endedSessions.reaches(open.issuedAtNanos(), state.clockNanos())) {
            return new Outcome.TooLate();
        }
        if (state.leaseCount >= state.limits.leases()) {
            return new Outcome.LimitReached("leases of the store", state.limits.leases());
        }
        if (state.featureLevel() > 1 && state.sessions.size() >= state.limits.sessions()) {
            return new Outcome.LimitReached("sessions of the store", state.limits.sessions());
        }
        return new Outcome.SessionOpened(leases.open(open.session(), open.ttlNanos(), open.label(), open.metadata())
                .view(state.clockNanos()));
    }

    private Outcome closeSession(Command.CloseSession close) {
        Lease.OfSession session = leases.session(close.session());
        if (session == null) {
            return new Outcome.NoSuchSession();
        }
        leases.close(session);
        return new Outcome.SessionClosed();
    }

    private Outcome renewSessions(Command.RenewSessions renew) {
        List<SessionId> gone = new ArrayList<>();
        for (SessionId id : renew.sessions()) {
            Lease.OfSession session = leases.session(id);
            if (session == null) {
                gone.add(id);
            } else {
                leases.renew(session);
            }
        }
        return new Outcome.SessionsRenewed(gone);
    }

    /**
     * How an acquire that was queued stands now: granted, queued, or over. Changes nothing.
     *
     * @param acquire the acquire as it was applied before
     * @return what a sending of it would be answered, but for renewing the lease; granted or queued even if its client claims to have seen that
     */
    public Outcome standing(Command.Acquire acquire) {
        return requests.standing(acquire);
    }

    /**
     * How the acquire of a set that was queued stands now: granted, queued, or over. Changes nothing.
     *
     * @param all the acquire as it was applied before
     * @return as with {@link #standing(Command.Acquire)}
     */
    public Outcome standing(Command.AcquireAll all) {
        return requests.standing(all);
    }

    /** {@return the index of the last entry applied; 0 in a new table} */
    public long appliedIndex() {
        return state.appliedIndex();
    }

    /** {@return lease time, in ns since the cluster began} */
    public long clockNanos() {
        return state.clockNanos();
    }

    /** {@return the lease time at which the next lease or wait ends unless it is renewed, in ns; empty if none will} */
    public OptionalLong nextDeadlineNanos() {
        Optional<Timed> next = state.deadlines.earliest();
        return next.isPresent() ? OptionalLong.of(next.get().deadlineNanos()) : OptionalLong.empty();
    }

    /** {@return the feature level of the store; 1 in a new one} */
    public int featureLevel() {
        return state.featureLevel();
    }

    /** {@return how many leases live: sessions, one-shot holds and one-shot waits} */
    public int leaseCount() {
        return state.leaseCount;
    }

    /**
     * Shows one lock.
     *
     * @param name the lock
     * @param maxWaiters most waiters to show, ≥ 0
     * @return the lock, or empty if nobody holds it
     */
    public Optional<LockView> lock(LockName name, int maxWaiters) {
        return Optional.ofNullable(state.lock(name)).map(lock -> lock.view(state.clockNanos(), maxWaiters));
    }

    /**
     * Tells whether a fencing token still counts: whether a hold that lives has it. What is due counts as over.
     *
     * @param name the lock
     * @param token the token
     * @return current, stale, or the lock is free
     */
    public TokenCheck check(LockName name, FencingToken token) {
        Lock lock = state.lock(name);
        Hold newest = lock == null ? null : lock.holders.newest(state.clockNanos());
        if (lock == null || newest == null) {
            return new TokenCheck.Free();
        }
        Hold hold = lock.holders.of(token);
        return hold != null && !hold.isOver(state.clockNanos())
                ? new TokenCheck.Current(hold.view(state.clockNanos()))
                : new TokenCheck.Stale(newest.token);
    }

    /**
     * Lists locks by name.
     *
     * @param prefix only names that begin with this; empty for all
     * @param after only names after this one; empty for all
     * @param most most locks to list, ≥ 0
     * @param maxWaiters most waiters to show of each, ≥ 0
     * @return the locks, in order of name
     */
    public List<LockView> locks(String prefix, String after, int most, int maxWaiters) {
        List<LockView> found = new ArrayList<>();
        boolean skip = after.compareTo(prefix) >= 0;
        String from = skip ? after : prefix;
        Collection<Lock> candidates = from.isEmpty()
                ? state.locks.values()
                : state.locks.tailMap(new LockName(from), !skip).values();
        for (Lock lock : candidates) {
            if (found.size() >= most || !lock.name.value().startsWith(prefix)) {
                break;
            }
            found.add(lock.view(state.clockNanos(), maxWaiters));
        }
        return found;
    }

    /**
     * Shows one session.
     *
     * @param id the session
     * @return the session, or empty if it does not exist
     */
    public Optional<SessionView> session(SessionId id) {
        return Optional.ofNullable(state.sessions.get(id)).map(session -> session.view(state.clockNanos()));
    }

    /**
     * Lists sessions by id.
     *
     * @param after only those after this one; empty for all
     * @param most most sessions to list, ≥ 0
     * @return the sessions, in order of their ids
     */
    public List<SessionView> sessions(Optional<SessionId> after, int most) {
        return after.map(id -> state.sessions.tailMap(id, false)).orElse(state.sessions).values().stream()
                .limit(most)
                .map(session -> session.view(state.clockNanos()))
                .toList();
    }

    /**
     * Shows what a session has.
     *
     * @param id the session
     * @param most most holds to show, and most waits, ≥ 0
     * @return its holds and waits, or empty if it does not exist
     */
    public Optional<SessionClaims> claims(SessionId id, int most) {
        return Optional.ofNullable(state.sessions.get(id)).map(it -> it.claims(state.clockNanos(), most));
    }

    /**
     * Tells why an owner waits. Costs a look at each of those ahead of it.
     *
     * @param name the lock
     * @param owner who waits for it
     * @param most most of those ahead to show, ≥ 0
     * @return its place and who is ahead, or empty if it does not wait for the lock
     */
    public Optional<Why> why(LockName name, Owner owner, int most) {
        return Optional.ofNullable(state.lock(name)).flatMap(lock -> lock.why(owner, state.clockNanos(), most));
    }

    /**
     * Gives the events of the entries after one. There are none of a time when the feature level was 1. Costs O(log n) and the events given.
     *
     * @param logIndex the log index of that entry, ≥ 0; it need not be one that was applied
     * @param most most events to give, ≥ 0
     * @return the events, or that some of them are forgotten
     */
    public EventsAfter eventsAfter(long logIndex, int most) {
        return state.ring.after(logIndex, most);
    }

    /**
     * Gives the events from one on, as a watcher does that goes on where it was.
     *
     * @param ordinal the ordinal of the first
     * @param most most events to give, ≥ 0
     * @return the events, or that some of them are forgotten
     */
    public EventsAfter eventsFrom(long ordinal, int most) {
        return state.ring.from(ordinal, most);
    }

    /**
     * Tells who waits for whom.
     *
     * @param most most edges to give, ≥ 0
     * @return the present wait-for graph
     */
    public WaitGraph waits(int most) {
        return deadlocks.graph(most);
    }

    /** {@return the ordinal that the next event will have} */
    public long nextEventOrdinal() {
        return state.ring.nextOrdinal();
    }

    /**
     * Tells what became of a lock. Costs a pass over the events that are remembered, as {@link #heldAt} does.
     *
     * @param name the lock
     * @param most most events to give, ≥ 0
     * @return its latest events
     */
    public History history(LockName name, int most) {
        return hindsight.history(name, most);
    }

    /**
     * Tells who held a lock just after an entry, and how that ended.
     *
     * @param name the lock
     * @param logIndex the log index of the entry; it need not be one that was applied
     * @return who held it, as far as that is known
     */
    public HeldAt heldAt(LockName name, long logIndex) {
        return hindsight.heldAt(name, logIndex);
    }

    /**
     * Tells who held a lock at some lease time, and how that ended.
     *
     * @param name the lock
     * @param leaseTimeNanos the time, in ns of lease time; entries of just that time count
     * @return who held it, as far as that is known
     */
    public HeldAt heldAtTime(LockName name, long leaseTimeNanos) {
        return hindsight.heldAtTime(name, leaseTimeNanos);
    }

    /** {@return how many records {@link #takeChanges} would give, present and gone; costs nothing} */
    public int changeCount() {
        return snapshots.changeCount();
    }

    /**
     * Takes what changed since the last call, or since the table was made or restored; it then counts as saved. Costs no more than that, whatever the size of the store, and changes nothing that outcomes or {@link #digest} depend on.
     *
     * <p>Whoever takes changes must store them, all or none, in the order in which they were taken. If that fails, they are lost to the table, and what is stored must be written anew as a whole: empty it, then call this (for {@link Changes#store}, since all counts as saved by it) and {@link #images}, with no entry applied in between, and write the images.
     *
     * @return the changes
     */
    public Changes takeChanges() {
        return snapshots.take();
    }

    /**
     * The whole state but for {@link Changes#store}, in order of keys. Records are made while they are iterated over, and no entry may be applied meanwhile.
     *
     * @return all records; each iterator begins anew
     */
    public Iterable<Image> images() {
        return snapshots.images();
    }

    /**
     * A fingerprint of the whole state but for the applied index: nodes at the same index must have the same, and a state restored at a later one keeps its own. Costs a pass over the state.
     *
     * @return 16 hexadecimal digits
     */
    public String digest() {
        return Hex.of(state.digest());
    }
}
