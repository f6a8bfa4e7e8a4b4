package io.holdfast.server.proposer;

import io.holdfast.core.Applied;
import io.holdfast.core.Command;
import io.holdfast.core.LockTable;
import io.holdfast.core.Outcome;
import io.holdfast.server.proposer.EntryLog.Fate;
import io.holdfast.server.proposer.Unanswered.Why;
import io.holdfast.statemachine.codec.Entry;
import io.holdfast.statemachine.codec.EntryCodec;
import io.holdfast.statemachine.ratis.ReplicaListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes log entries on the leader: gathers the commands of all connections into one entry while another is in flight, stamps it with lease time, and ticks when a deadline is due (DESIGN §2, §3).
 *
 * <p>One entry in flight, no lingering. One is as quick as several, and it lets Raft notice a lost quorum: a leader whose log never rests does not step down. An entry in flight for longer than the watchdog ends the promise to answer: its callers hear that the outcome is unknown, and nothing new is taken until it is decided.
 */
public final class Proposer implements Store, ReplicaListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Proposer.class);

    private final ProposerConfig config;
    private final EntryLog log;
    private final Replica replica;
    private final LongSupplier nanoTime;
    private final Executor answers;
    private final Parked parked;
    private final FeatureGate gate = new FeatureGate();
    private final Thread thread;

    // Guards all that follows. Never held while the log is called or an answer is delivered.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition landed = lock.newCondition();
    private final Inbox inbox;
    private @Nullable LeaseClock clock; // present exactly while this node leads
    private @Nullable Flight inFlight;
    private TickPlan plan = TickPlan.IDLE;
    private long lastProposalId;
    private boolean draining;
    private boolean stopping;

    /**
     * Creates a proposer that does not lead yet. Call {@link #start} once the log can be called.
     *
     * @param config how it works
     * @param log where entries go
     * @param replica the state of this node
     * @param nanoTime the monotonic clock, in ns
     * @param firstProposalId a random number, so that this node knows its own entries of this run again
     * @param answers runs the deliveries of answers
     * @param timer ends asks whose block has passed
     */
    public Proposer(
            ProposerConfig config,
            EntryLog log,
            Replica replica,
            LongSupplier nanoTime,
            long firstProposalId,
            Executor answers,
            AskTimer timer) {
        this.config = config;
        this.log = log;
        this.replica = replica;
        this.nanoTime = nanoTime;
        this.lastProposalId = firstProposalId;
        this.answers = answers;
        this.parked = new Parked(timer);
        this.inbox = new Inbox(config);
        this.thread = new Thread(this::run, "holdfast-proposer");
    }

    /** Starts the thread that makes entries. */
    public void start() {
        thread.start();
    }

    @Override
    public CompletionStage<Answer<Outcome>> submit(Command command) {
        return enter(command, Duration.ZERO);
    }

    @Override
    public CompletionStage<Answer<Outcome>> ask(Command.Once acquire, Duration block) {
        return enter(acquire, block);
    }

    @Override
    public <T> CompletionStage<Answer<T>> read(Function<LockTable, T> query) {
        Pending.Read<T> read = new Pending.Read<>(query, new CompletableFuture<>());
        enter(read);
        return read.answer();
    }

    @Override
    public <T> Answer<T> readStale(Function<LockTable, T> query) {
        return replica.read(table -> new Answer<>(query.apply(table), table.appliedIndex(), table.clockNanos()));
    }

    @Override
    public OptionalLong staleMillis() {
        return replica.ageMillis();
    }

    private CompletionStage<Answer<Outcome>> enter(Command command, Duration block) {
        Optional<Answer<Outcome>> tooEarly = gate.refusal(command);
        if (tooEarly.isPresent()) {
            return CompletableFuture.completedFuture(tooEarly.get());
        }
        Pending.Write write = new Pending.Write(command, EntryCodec.sizeOf(command), block, new CompletableFuture<>());
        enter(write);
        return write.answer();
    }

    private void enter(Pending pending) {
        Unanswered refusal;
        lock.lock();
        try {
            refusal = refusal();
            if (refusal == null && !inbox.offer(pending)) {
                refusal = Unanswered.overloaded(config.maxQueuedCommands());
            }
        } finally {
            lock.unlock();
        }
        if (refusal == null) {
            wake();
        } else {
            pending.fail(refusal);
        }
    }

    /** Why nothing can be taken now; null if it can. Called with the lock held. */
    private @Nullable Unanswered refusal() {
        if (stopping || draining) {
            return new Unanswered(Why.STOPPING, "this node is stopping");
        }
        if (clock == null) {
            return new Unanswered(Why.NOT_LEADER, "this node does not lead");
        }
        if (inFlight != null && inFlight.isOverdue) {
            return new Unanswered(Why.NOT_LEADER, "this node leads, but hears from no majority");
        }
        return null;
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            long wait = step();
            if (wait > 0) {
                LockSupport.parkNanos(this, wait);
            }
        }
    }

    private void wake() {
        LockSupport.unpark(thread);
    }

    /**
     * Does what is to be done now: looks after the entry in flight, makes the next one. Proposer's thread; tests and simulations call it instead.
     *
     * @return how long there is nothing more to do unless something comes in, in ns; 0 to call again at once
     */
    long step() {
        Entry entry;
        lock.lock();
        try {
            watch();
            long wait = nanosToWait();
            if (wait > 0) {
                return wait;
            }
            entry = takeEntry();
        } finally {
            lock.unlock();
        }
        append(entry);
        return 0;
    }

    /** How long there is nothing to do: 0 when an entry is to be made. Called with the lock held. */
    private long nanosToWait() {
        if (inFlight != null) {
            long untilOverdue = config.watchdog().toNanos() - inFlight.ageNanos(nanoTime.getAsLong());
            return inFlight.isOverdue ? Long.MAX_VALUE : Math.max(1, untilOverdue);
        }
        if (clock == null) {
            return Long.MAX_VALUE;
        }
        return inbox.isEmpty()
                ? plan.nanosUntilTick(clock, config.tickMaxInterval().toNanos())
                : 0;
    }

    private Entry takeEntry() {
        LeaseClock leading = Objects.requireNonNull(clock);
        Flight flight = new Flight(++lastProposalId, nanoTime.getAsLong(), inbox.takeBatch());
        inFlight = flight;
        return new Entry(flight.proposalId, leading.stamp(), flight.commands());
    }

    private void append(Entry entry) {
        CompletableFuture<Fate> fate;
        try {
            fate = log.append(entry);
        } catch (RuntimeException e) {
            LOG.error("The log threw on entry {}", entry.proposalId(), e);
            fate = CompletableFuture.completedFuture(Fate.UNKNOWN);
        }
        var unused = fate.whenComplete((end, error) -> land(entry.proposalId(), error == null ? end : Fate.UNKNOWN));
    }

    /** The log has decided about an entry, or will not say. */
    private void land(long proposalId, Fate fate) {
        Flight flight = takeFlight(proposalId);
        if (flight == null) {
            return; // onApplied was first, as it should be
        }
        Unanswered failure = fate == Fate.REFUSED
                ? new Unanswered(Why.NOT_LEADER, "leadership passed on before the command was appended")
                : Unanswered.leadershipLost();
        answers.execute(() -> flight.fail(failure));
    }

    private @Nullable Flight takeFlight(long proposalId) {
        Flight flight;
        lock.lock();
        try {
            flight = inFlight;
            if (flight == null || flight.proposalId != proposalId) {
                return null;
            }
            inFlight = null;
            landed.signalAll();
        } finally {
            lock.unlock();
        }
        wake();
        return flight;
    }

    /** The watchdog: ends the promise to answer when an entry is overdue. Called with the lock held. */
    private void watch() {
        Flight flight = inFlight;
        if (flight == null
                || flight.isOverdue
                || flight.ageNanos(nanoTime.getAsLong()) < config.watchdog().toNanos()) {
            return;
        }
        flight.isOverdue = true;
        LOG.warn(
                "No majority answered for {} ms: {} callers are told that the outcome is unknown",
                config.watchdog().toMillis(),
                flight.batch.size());
        List<Pending> notSent = inbox.takeAll();
        answers.execute(() -> {
            flight.fail(new Unanswered(Why.OUTCOME_UNKNOWN, "no majority answered in time"));
            notSent.forEach(
                    it -> it.fail(new Unanswered(Why.NOT_LEADER, "this node leads, but hears from no majority")));
            parked.fail("no majority answers: ask again, the place in the queue is kept");
        });
    }

    @Override
    public void onApplied(Entry entry, Applied applied, LockTable table) {
        gate.see(table);
        List<Runnable> deliveries = new ArrayList<>();
        Flight flight;
        boolean leading;
        lock.lock();
        try {
            plan = TickPlan.of(table);
            leading = clock != null;
            flight = takeFlight(entry.proposalId());
        } finally {
            lock.unlock();
        }
        if (flight != null) {
            deliveries.addAll(flight.land(applied, table, parked));
        }
        if (leading || flight != null) {
            deliveries.addAll(parked.settle(applied, table));
        }
        if (!deliveries.isEmpty()) {
            answers.execute(() -> deliveries.forEach(Runnable::run));
        }
    }

    @Override
    public void onLeaderReady(long term, LockTable table) {
        gate.see(table);
        @Nullable Flight undecided;
        lock.lock();
        try {
            clock = new LeaseClock(
                    nanoTime,
                    table.clockNanos(),
                    config.failoverGrace().toNanos(),
                    config.tickMaxStep().toNanos());
            plan = TickPlan.of(table);
            // What was in flight in an earlier term is decided by now, but nobody will tell us how.
            undecided = inFlight;
            inFlight = null;
        } finally {
            lock.unlock();
        }
        if (undecided != null) {
            answers.execute(() -> undecided.fail(Unanswered.leadershipLost()));
        }
        wake();
        LOG.info("Leading term {} from index {}", term, table.appliedIndex());
    }

    @Override
    public void onNotLeader() {
        List<Pending> notSent;
        Flight flight;
        lock.lock();
        try {
            clock = null;
            notSent = inbox.takeAll();
            flight = inFlight;
            inFlight = null;
            landed.signalAll();
        } finally {
            lock.unlock();
        }
        answers.execute(() -> {
            notSent.forEach(it -> it.fail(new Unanswered(Why.NOT_LEADER, "this node does not lead any more")));
            if (flight != null) {
                flight.fail(Unanswered.leadershipLost());
            }
            parked.fail("leadership was lost: ask again, the place in the queue is kept");
        });
    }

    /** {@return whether this node leads and takes commands} */
    public boolean isLeading() {
        lock.lock();
        try {
            return refusal() == null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes nothing new and waits until what was taken is answered, so that the node can stop.
     *
     * @param patience how long to wait at most
     * @return whether all was answered
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean drain(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        lock.lockInterruptibly();
        try {
            draining = true;
            while (clock != null && (inFlight != null || !inbox.isEmpty())) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                var unused = landed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Stops making entries; whoever still waits is told that the node is stopping. */
    @Override
    public void close() {
        lock.lock();
        try {
            stopping = true;
        } finally {
            lock.unlock();
        }
        thread.interrupt();
        onNotLeader();
    }
}
