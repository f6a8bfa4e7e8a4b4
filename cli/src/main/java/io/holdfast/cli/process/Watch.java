package io.holdfast.cli.process;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.holdfast.cli.process.Supervisor.Event;
import io.holdfast.cli.process.Supervisor.OnLost;
import io.holdfast.cli.process.Supervisor.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Watches one running command and the clock. One thread's business. */
final class Watch implements AutoCloseable {
    /** How often to look whether the machine was suspended. */
    private static final long GLANCE_NANOS = 500_000_000;

    /** How long what the command left behind may take to stop before the lock is released. */
    private static final Duration SWEEP_GRACE = Duration.ofSeconds(1);

    /** A lock that the store says is gone may be somebody else's already: no time for a long good-bye. */
    private static final long GONE_GRACE_NANOS = 250_000_000;

    private final Job job;
    private final Supervisor.Lease lease;
    private final Supervisor.Order order;
    private final BootClock clock;
    private final WardenStart wardens;
    private final Consumer<String> messages;

    private Warden warden;
    private Phase phase = Phase.RUNNING;
    private LeaseTimes times;
    private long killAt;
    private @Nullable String lost;

    private enum Phase {
        RUNNING,
        /** The lease is lost, and the command runs on: so it was ordered. */
        UNLEASHED,
        TERMINATING,
        KILLED
    }

    /** Starts another warden if somebody killed the first. */
    interface WardenStart {
        Warden start() throws IOException;
    }

    Watch(
            Job job,
            Supervisor.Lease lease,
            Supervisor.Order order,
            BootClock clock,
            Warden warden,
            WardenStart wardens,
            Consumer<String> messages) {
        this.job = job;
        this.lease = lease;
        this.order = order;
        this.clock = clock;
        this.warden = warden;
        this.wardens = wardens;
        this.messages = messages;
        this.times = timesNow();
        brief();
    }

    Outcome untilTheEnd(BlockingQueue<Event> events) throws InterruptedException, IOException {
        while (true) {
            Event event = events.poll(Math.min(GLANCE_NANOS, nextAct() - clock.now()), NANOSECONDS);
            if (event instanceof Event.Ended ended) {
                return ended(ended.exitCode());
            }
            if (event instanceof Event.Signalled signal) {
                warden.signal(signal.name());
            }
            if (event instanceof Event.Lost gone) {
                lose(gone.reason(), Math.min(clock.now() + GONE_GRACE_NANOS, times.killAt()));
            }
            actOnTime();
            if (!warden.isAlive()) {
                replaceWarden();
            }
        }
    }

    /** Tells the warden what it must know, the lease first: with the pid, the command starts. */
    private void brief() {
        if (order.onLost() == OnLost.WARN) {
            warden.unleash();
        } else {
            warden.lease(times);
        }
        warden.guard(job.pid());
    }

    private LeaseTimes timesNow() {
        long deadline = lease.deadlineNanos();
        Duration ttl = lease.ttl();
        // The deadline counts from when the request was sent, at least a TTL's worth of nearly the same length before.
        return LeaseTimes.before(clock.at(deadline, deadline - ttl.toNanos()), ttl, order.grace());
    }

    private long nextAct() {
        return switch (phase) {
            case RUNNING -> times.termAt();
            case TERMINATING -> killAt;
            case UNLEASHED, KILLED -> Long.MAX_VALUE;
        };
    }

    private void actOnTime() {
        if (phase == Phase.RUNNING) {
            LeaseTimes now = timesNow();
            if (!now.equals(times)) {
                times = now;
                if (order.onLost() == OnLost.KILL) {
                    warden.lease(times);
                }
            }
            if (clock.now() >= times.termAt()) {
                lose("its lease could not be renewed in time", times.killAt());
            }
        }
        if (phase == Phase.TERMINATING && clock.now() >= killAt) {
            phase = Phase.KILLED;
            warden.kill();
            job.killTree();
        }
    }

    private void lose(String reason, long deadline) {
        if (phase == Phase.TERMINATING) {
            killAt = Math.min(killAt, deadline);
        }
        if (phase != Phase.RUNNING) {
            return;
        }
        if (order.onLost() == OnLost.WARN) {
            phase = Phase.UNLEASHED;
            messages.accept("lock lost: " + reason + "; the command runs on without it");
            return;
        }
        phase = Phase.TERMINATING;
        lost = reason;
        killAt = deadline;
        job.findDescendants();
        warden.terminate();
        messages.accept("lock lost: " + reason + "; the command is ended");
    }

    private Outcome ended(int exitCode) throws InterruptedException, IOException {
        Duration grace = lost == null ? SWEEP_GRACE : Duration.ofNanos(Math.max(0, killAt - clock.now()));
        Optional<Integer> swept = warden.sweep(grace);
        if (swept.isEmpty()) {
            replaceWarden();
            swept = warden.sweep(grace);
        }
        if (lost == null && warden.hasExpired()) {
            lost = "its lease was not renewed in time, since this process was stopped or very slow";
            messages.accept("lock lost: " + lost + "; the command was ended");
        }
        if (lost != null) {
            job.killTree();
        } else if (swept.orElse(0) > 0) {
            messages.accept("ended what the command left running: " + swept.get() + " process(es)");
        }
        warden.dismiss();
        return new Outcome(exitCode, Optional.ofNullable(lost));
    }

    private void replaceWarden() throws IOException, InterruptedException {
        warden.close();
        warden = wardens.start();
        warden.awaitReady();
        brief();
        messages.accept("the warden process was killed; another one has taken over");
    }

    @Override
    public void close() {
        warden.close();
    }
}
