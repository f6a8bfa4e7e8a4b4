package io.holdfast.cli.process;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * Runs a command for as long as a lease can be believed in, and ends its whole session before the lease can pass to anybody else.
 *
 * <p>Everything happens on the thread that calls {@link #run}; others tell it what they saw through {@link #renewed}, {@link #lost} and {@link #signalled}. A {@link Warden} stands in should this process die or freeze.
 */
public final class Supervisor implements AutoCloseable {
    private final String lock;
    private final Consumer<String> messages;
    private final BootClock clock;
    private final Warden warden;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /** What to do when the lease is lost. */
    public enum OnLost {
        /** End the command. */
        KILL,
        /** Say so, and let it run. */
        WARN
    }

    /** The lease under which the command runs: a port. */
    public interface Lease {
        /** {@return the TTL} */
        Duration ttl();

        /** {@return when to stop believing, in terms of {@link System#nanoTime()}; renewals move it} */
        long deadlineNanos();
    }

    /**
     * What to run, and how.
     *
     * @param command program and arguments
     * @param environment added to ours; empty text takes a variable away
     * @param onLost what to do when the lease is lost
     * @param grace between SIGTERM and SIGKILL when the lease is lost
     */
    public record Order(List<String> command, Map<String, String> environment, OnLost onLost, Duration grace) {
        /** Takes copies. */
        public Order {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
        }
    }

    /**
     * How it ended.
     *
     * @param exitCode the command's; 128 + n if signal n ended it
     * @param lost why, if the command was ended because the lease was lost
     */
    public record Outcome(int exitCode, Optional<String> lost) {}

    /** What others saw. */
    sealed interface Event {
        /** The command is gone. */
        record Ended(int exitCode) implements Event {}

        /** The deadline has moved. */
        record Renewed() implements Event {}

        /** The lock is not ours any more. */
        record Lost(String reason) implements Event {}

        /** We got a signal. */
        record Signalled(String name) implements Event {}
    }

    private Supervisor(String lock, Consumer<String> messages, BootClock clock, Warden warden) {
        this.lock = lock;
        this.messages = messages;
        this.clock = clock;
        this.warden = warden;
    }

    /**
     * Gets ready to run a command, while the lock may still have to be waited for.
     *
     * @param lock its name, for messages
     * @param messages gets a line for people now and then
     * @return to be closed by the caller
     * @throws IOException if this machine lacks what is needed: a shell, {@code setsid}, a temporary folder
     */
    public static Supervisor prepare(String lock, Consumer<String> messages) throws IOException {
        return new Supervisor(lock, messages, BootClock.system(), Warden.start(lock));
    }

    /**
     * How long a command has between SIGTERM and SIGKILL unless told otherwise.
     *
     * @param ttl the TTL of the lease
     * @return a tenth of it, within bounds
     */
    public static Duration usualGrace(Duration ttl) {
        return LeaseTimes.usualGrace(ttl);
    }

    /**
     * The longest grace for which there is still time to try a renewal twice.
     *
     * @param ttl the TTL of the lease
     * @return a third of it
     */
    public static Duration longestGrace(Duration ttl) {
        return LeaseTimes.longestGrace(ttl);
    }

    /**
     * Runs the command to its end, be it its own or that of the lease, and then ends what it left behind in its session.
     *
     * @param lease the lease, held now
     * @param order what to run
     * @return how it ended
     * @throws IOException if it cannot be started or guarded
     * @throws InterruptedException if interrupted; the command is then ended
     */
    public Outcome run(Lease lease, Order order) throws IOException, InterruptedException {
        for (Event event = events.poll(); event != null; event = events.poll()) {
            if (event instanceof Event.Signalled signal && Signals.endsUs(signal.name())) {
                return new Outcome(Signals.exitCode(signal.name()), Optional.empty());
            }
        }
        warden.awaitReady();
        Job job = Job.start(order.command(), order.environment(), warden.gate());
        job.onEnd(code -> events.add(new Event.Ended(code)));
        try (Watch watch = new Watch(job, lease, order, clock, warden, () -> Warden.start(lock), messages)) {
            return watch.untilTheEnd(events);
        }
    }

    /** The lease was renewed. */
    public void renewed() {
        events.add(new Event.Renewed());
    }

    /**
     * The lock is not ours any more.
     *
     * @param reason why, for people
     */
    public void lost(String reason) {
        events.add(new Event.Lost(reason));
    }

    /**
     * This process got a signal. One that would end it keeps a command from starting; a running command gets it passed on.
     *
     * @param name such as TERM
     */
    public void signalled(String name) {
        events.add(new Event.Signalled(name));
    }

    @Override
    public void close() {
        warden.close();
    }
}
