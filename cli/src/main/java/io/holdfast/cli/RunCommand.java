package io.holdfast.cli;

import io.holdfast.cli.process.CommandCheck;
import io.holdfast.cli.process.Supervisor;
import io.holdfast.client.LockRequest;
import io.holdfast.client.Owner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast run}. */
@Command(
        name = "run",
        description = "Runs a command under a lock, renews the lease meanwhile, and releases the lock when it ends.",
        footer = {
            "",
            "CMD sees HOLDFAST_NAME, HOLDFAST_TOKEN and HOLDFAST_OWNER; hand the token to whatever the lock protects.",
            "It runs in a session of its own, with the input, output and errors of 'holdfast run'. SIGTERM, SIGINT,"
                    + " SIGHUP, SIGUSR1, SIGUSR2, SIGALRM and SIGWINCH are passed on to its process group.",
            "If the lease cannot be renewed, CMD and all of its session get SIGTERM, and after --grace SIGKILL, so that"
                    + " nothing of it runs when the lock can pass to somebody else. So they do if this process is killed"
                    + " or frozen. What CMD leaves running in its session when it ends gets SIGTERM, and after a second"
                    + " SIGKILL, before the lock is released; setsid is the way out.",
            "Exit code: that of CMD (128 + n if signal n ended it, 126 and 127 if it cannot be started), -E if the lock"
                    + " was not obtained, 2 bad input, 3 no leader within --timeout, 4 lease lost and CMD ended.",
            "",
            "Examples:",
            "  holdfast run nightly-report -- ./report.sh",
            "  holdfast run deploy/web --ttl 30s --wait 5m -- make deploy",
            "  holdfast run backup -E 0 -- sh -c 'pg_dump db > db-$HOLDFAST_TOKEN.sql'"
        })
final class RunCommand implements Callable<Integer> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private TermsOptions terms = new TermsOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock: 1 to 512 bytes.")
    private String name = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "CMD", description = "The command, after '--'.")
    private List<String> command = List.of();

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = Durations.Converter.class,
            description = "TTL of the lease, 100ms to 24h; renewed at a third of it (default: ${DEFAULT-VALUE}). How"
                    + " long others wait if this machine dies.")
    private Duration ttl = Duration.ofSeconds(10);

    @Option(
            names = "--wait",
            paramLabel = "0|DURATION|forever",
            defaultValue = "0",
            converter = Durations.WaitConverter.class,
            description = "How long to wait in the queue (default: ${DEFAULT-VALUE}, only try).")
    private Duration wait = Duration.ZERO;

    @Option(names = "--owner", paramLabel = "ID", description = "In whose name (default: a random UUID).")
    private @Nullable String owner;

    @Option(names = "--label", paramLabel = "TEXT", description = "Who asks, shown to people (default: user@host).")
    private @Nullable String label;

    @Option(
            names = "--on-lost",
            paramLabel = "kill|warn",
            defaultValue = "kill",
            description = "When the lease is lost: end CMD, or only say so (default: ${DEFAULT-VALUE}).")
    private Supervisor.OnLost onLost = Supervisor.OnLost.KILL;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            converter = Durations.Converter.class,
            description = "Time between SIGTERM and SIGKILL when the lease is lost, at most a third of the TTL"
                    + " (default: a tenth of the TTL, at most 5s).")
    private @Nullable Duration grace;

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            defaultValue = "1",
            description = "Exit code if the lock is not obtained (default: ${DEFAULT-VALUE}).")
    private int conflictExitCode = 1;

    @Override
    public Integer call() throws InterruptedException {
        Optional<CommandCheck.Problem> problem = CommandCheck.problem(command.get(0));
        if (problem.isPresent()) {
            Printer.note("holdfast: " + problem.get().message());
            return problem.get().exitCode();
        }
        checkOptions();
        LockRequest request = LockRequest.of(name)
                .withOwner(owner == null ? Owner.random() : new Owner.OneShot(owner))
                .withTtl(ttl)
                .withPatience(wait)
                .withLabel(label == null ? Caller.label() : label)
                .withTerms(terms.terms());
        Duration ending = grace == null ? Supervisor.usualGrace(ttl) : grace;
        return new LockedRun(request, command, onLost, ending, conflictExitCode).run(cluster);
    }

    private void checkOptions() {
        if (conflictExitCode < 0 || conflictExitCode > 255) {
            throw Failure.usage("-E", "-E is " + conflictExitCode + "; it must be 0 to 255");
        }
        if (grace != null && (grace.isNegative() || grace.compareTo(Supervisor.longestGrace(ttl)) > 0)) {
            throw Failure.usage(
                    "grace",
                    "--grace is " + Durations.text(grace) + "; it must be 0 to a third of the TTL, "
                            + Durations.text(Supervisor.longestGrace(ttl)));
        }
    }
}
