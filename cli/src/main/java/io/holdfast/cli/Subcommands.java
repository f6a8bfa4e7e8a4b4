package io.holdfast.cli;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * The subcommands of {@code holdfast}, in the order in which help shows them.
 *
 * <p>Picocli reads each one's annotations when it is added, which for all of them takes longer than a call to the cluster: so a command line that names one gets only that.
 */
final class Subcommands {
    private static final List<Map.Entry<String, Supplier<Object>>> ALL = List.of(
            Map.entry("server", ServerCommand::new),
            Map.entry("up", UpCommand::new),
            Map.entry("down", DownCommand::new),
            Map.entry("acquire", AcquireCommand::new),
            Map.entry("release", ReleaseCommand::new),
            Map.entry("renew", RenewCommand::new),
            Map.entry("run", RunCommand::new),
            Map.entry("lock-all", LockAllCommand::new),
            Map.entry("convert", ConvertCommand::new),
            Map.entry("check", CheckCommand::new),
            Map.entry("elect", ElectCommand::new),
            Map.entry("proclaim", ProclaimCommand::new),
            Map.entry("get", GetCommand::new),
            Map.entry("list", ListCommand::new),
            Map.entry("watch", WatchCommand::new),
            Map.entry("observe", ObserveCommand::new),
            Map.entry("session", SessionCommand::new),
            Map.entry("why", WhyCommand::new),
            Map.entry("history", HistoryCommand::new),
            Map.entry("waits", WaitsCommand::new),
            Map.entry("revoke", RevokeCommand::new),
            Map.entry("handoff", HandoffCommand::new),
            Map.entry("cluster", ClusterCommand::new),
            Map.entry("snapshot", SnapshotCommand::new),
            Map.entry("backup", BackupCommand::new),
            Map.entry("restore", RestoreCommand::new),
            Map.entry("completion", CompletionCommand::new));

    private Subcommands() {}

    /** Adds the one that the arguments name, or all if they name none, or need all. */
    static void addTo(CommandLine line, String... arguments) {
        String named = arguments.length == 0 ? "" : arguments[0];
        boolean isKnown = ALL.stream().anyMatch(it -> it.getKey().equals(named)) && !named.equals("completion");
        for (Map.Entry<String, Supplier<Object>> subcommand : ALL) {
            if (!isKnown || subcommand.getKey().equals(named)) {
                line.addSubcommand(subcommand.getKey(), subcommand.getValue().get());
            }
        }
    }
}
