package io.holdfast.cli;

import io.holdfast.cli.process.CommandCheck;
import io.holdfast.cli.process.Supervisor;
import io.holdfast.client.Acquisition;
import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.KeepAlive;
import io.holdfast.client.LeaseListener;
import io.holdfast.client.LockRequest;
import io.holdfast.client.Owner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast elect}. */
@Command(
        name = "elect",
        description = "Campaigns to be the leader of an election, leads as long as it lives, and resigns when it ends.",
        footer = {
            "",
            "An election is an exclusive lock with a value, which everybody sees: how to reach the leader. The token is the"
                    + " leader's epoch. With CMD, runs it as long as it leads, exactly as 'run' does; without, prints the"
                    + " token when elected and leads until it is stopped. 'proclaim' changes the value, 'observe' shows"
                    + " who leads, 'release' with the owner resigns.",
            "Exit code: that of CMD; without CMD 128 + n once signal n has stopped it; 1 not elected in time, 2 bad input, 3 no cluster leader"
                    + " within --timeout, 4 leadership lost.",
            "",
            "Examples:",
            "  holdfast elect scheduler --value http://10.0.0.7:80 -- ./scheduler",
            "  holdfast elect scheduler --value $(hostname) --wait 1m --owner node-7 -o json"
        })
final class ElectCommand implements Callable<Integer> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The election: 1 to 512 bytes.")
    private String name = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "CMD", description = "The command, after '--'.")
    private List<String> command = List.of();

    @Option(
            names = "--value",
            required = true,
            paramLabel = "TEXT",
            description = "Published while it leads: up to 4096 bytes.")
    private String value = "";

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = Durations.Converter.class,
            description =
                    "TTL of the lease, 100ms to 24h; renewed at a third of it (default: ${DEFAULT-VALUE}). How long"
                            + " there is no leader if this machine dies.")
    private Duration ttl = Duration.ofSeconds(10);

    @Option(
            names = "--wait",
            paramLabel = "0|DURATION|forever",
            defaultValue = "forever",
            converter = Durations.WaitConverter.class,
            description = "How long to campaign (default: ${DEFAULT-VALUE}).")
    private Duration wait = LockRequest.FOREVER;

    @Option(names = "--owner", paramLabel = "ID", description = "In whose name (default: a random UUID).")
    private @Nullable String owner;

    @Option(names = "--label", paramLabel = "TEXT", description = "Who it is, shown to people (default: user@host).")
    private @Nullable String label;

    @Override
    public Integer call() throws InterruptedException {
        LockRequest request = LockRequest.of(name)
                .withOwner(owner == null ? Owner.random() : new Owner.OneShot(owner))
                .withTtl(ttl)
                .withPatience(wait)
                .withLabel(label == null ? Caller.label() : label)
                .withValue(value);
        return command.isEmpty() ? lead(request) : run(request);
    }

    private int run(LockRequest request) throws InterruptedException {
        Optional<CommandCheck.Problem> problem = CommandCheck.problem(command.get(0));
        if (problem.isPresent()) {
            Printer.note("holdfast: " + problem.get().message());
            return problem.get().exitCode();
        }
        return new LockedRun(request, command, Supervisor.OnLost.KILL, Supervisor.usualGrace(ttl), Exit.NO.code())
                .run(cluster);
    }

    private int lead(LockRequest request) throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            WaitingLine waiting = new WaitingLine(name);
            return switch (Caller.givingUpWhenStopped(() -> client.acquire(request, waiting::show))) {
                case Acquisition.Granted it -> lead(client, it.grant());
                case Acquisition.NotGranted no -> throw AcquireCommand.notGranted(name, no);
            };
        }
    }

    /** Leads until stopped, or until the lease is lost. */
    private int lead(HoldfastClient client, Grant grant) throws InterruptedException {
        CompletableFuture<String> lost = new CompletableFuture<>();
        KeepAlive renewing = client.keepAlive(grant, new Losing(lost));
        try {
            Printer.result(output.isJson() ? AcquireCommand.json(grant) : AcquireCommand.text(grant));
            String reason = Caller.givingUpWhenStopped(() -> untilLost(client, grant, renewing, lost));
            throw new Failure(Exit.LOST, "LOST", "", name + ": leadership is lost: " + reason);
        } finally {
            renewing.close();
        }
    }

    /** Waits; if it is stopped meanwhile, resigns, so that the next may lead at once. */
    private static String untilLost(
            HoldfastClient client, Grant grant, KeepAlive renewing, CompletableFuture<String> lost)
            throws InterruptedException {
        try {
            return lost.get();
        } catch (InterruptedException e) {
            renewing.close();
            var unused = client.release(grant); // not held any more: as good as resigned
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("never fails", e);
        }
    }

    /** Tells when leadership is lost. */
    private record Losing(CompletableFuture<String> lost) implements LeaseListener {
        @Override
        public void lost(Grant grant, String reason) {
            lost.complete(reason);
        }
    }
}
