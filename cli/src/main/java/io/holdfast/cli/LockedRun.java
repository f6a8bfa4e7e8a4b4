package io.holdfast.cli;

import io.holdfast.cli.process.Supervisor;
import io.holdfast.client.Acquisition;
import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.KeepAlive;
import io.holdfast.client.LeaseListener;
import io.holdfast.client.LockRequest;
import io.holdfast.client.Owner;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a command under a lock: waits for the lock, renews its lease meanwhile, and releases it in the end. */
final class LockedRun {
    /** How long the end of the process may wait for the release to be confirmed. */
    private static final Duration RELEASE_PATIENCE = Duration.ofSeconds(3);

    private final LockRequest request;
    private final List<String> command;
    private final Supervisor.OnLost onLost;
    private final Duration grace;
    private final int conflictExitCode;

    /**
     * Creates it.
     *
     * @param grace between SIGTERM and SIGKILL when the lease is lost
     * @param conflictExitCode the exit code if the lock is not obtained
     */
    LockedRun(
            LockRequest request, List<String> command, Supervisor.OnLost onLost, Duration grace, int conflictExitCode) {
        this.request = request;
        this.command = command;
        this.onLost = onLost;
        this.grace = grace;
        this.conflictExitCode = conflictExitCode;
    }

    /** {@return the exit code} */
    int run(ClientOptions cluster) throws InterruptedException {
        try (HoldfastClient client = cluster.client();
                Supervisor supervisor = Supervisor.prepare(request.name(), this::tell)) {
            RunSignals signals = new RunSignals(supervisor);
            Acquisition acquisition;
            try {
                acquisition = signals.endingWait(() -> client.acquire(request, new WaitingLine(request.name())::show));
            } catch (InterruptedException e) {
                tell("gave up waiting");
                return signals.exitCode();
            }
            return switch (acquisition) {
                case Acquisition.Granted it -> run(client, it.grant(), supervisor);
                case Acquisition.NotGranted no -> {
                    tell(Words.notGranted(request.name(), no));
                    yield conflictExitCode;
                }
            };
        } catch (IOException e) {
            throw new Failure(Exit.INTERNAL, "CANNOT_RUN", "", "cannot run the command: " + e.getMessage());
        }
    }

    private int run(HoldfastClient client, Grant grant, Supervisor supervisor)
            throws InterruptedException, IOException {
        Supervisor.Outcome outcome;
        KeepAlive renewing = client.keepAlive(grant, new Listener(supervisor));
        try {
            outcome = supervisor.run(
                    new GrantLease(grant), new Supervisor.Order(command, environment(grant), onLost, grace));
        } finally {
            renewing.close();
            release(client, grant);
        }
        return outcome.lost().isPresent() ? Exit.LOST.code() : outcome.exitCode();
    }

    private static Map<String, String> environment(Grant grant) {
        String owner = grant.owner() instanceof Owner.OneShot it ? it.id() : "";
        Map<String, String> environment = new HashMap<>(Map.of(
                "HOLDFAST_NAME", grant.name(),
                "HOLDFAST_TOKEN", Long.toString(grant.token()),
                "HOLDFAST_OWNER", owner));
        // The launcher makes this JVM read UTF-8; the command gets the caller's locale. Empty takes LC_ALL away again.
        Optional.ofNullable(System.getProperty("holdfast.locale"))
                .ifPresent(locale -> environment.put("LC_ALL", locale));
        return environment;
    }

    /** Bounded: the command has ended, and its caller waits. What is not released in time runs out by itself. */
    private void release(HoldfastClient client, Grant grant) throws InterruptedException {
        if (grant.remaining().isZero()) {
            return;
        }
        Thread releasing = new Thread(() -> releaseQuietly(client, grant), "holdfast-release");
        releasing.setDaemon(true);
        releasing.start();
        releasing.join(RELEASE_PATIENCE);
        if (releasing.isAlive()) {
            tell("the release could not be confirmed; the lease runs out in " + Durations.text(grant.remaining()));
            releasing.interrupt();
        }
    }

    private void releaseQuietly(HoldfastClient client, Grant grant) {
        try {
            var unused = client.release(grant); // not held any more: as good as released
        } catch (HoldfastException e) {
            tell("not released: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // told above
        }
    }

    private void tell(String message) {
        Printer.note("holdfast: " + request.name() + ": " + message);
    }

    /** What the supervisor must know of a grant. */
    private record GrantLease(Grant grant) implements Supervisor.Lease {
        @Override
        public Duration ttl() {
            return grant.ttl();
        }

        @Override
        public long deadlineNanos() {
            return grant.deadlineNanos();
        }
    }

    /** Tells the supervisor how the renewing goes. */
    private final class Listener implements LeaseListener {
        private final Supervisor supervisor;

        private Listener(Supervisor supervisor) {
            this.supervisor = supervisor;
        }

        @Override
        public void renewed(Grant grant) {
            supervisor.renewed();
        }

        @Override
        public void atRisk(Grant grant, Duration remaining) {
            tell("the lease cannot be renewed at the moment; " + Durations.text(remaining) + " left");
        }

        @Override
        public void lost(Grant grant, String reason) {
            supervisor.lost(reason);
        }
    }
}
