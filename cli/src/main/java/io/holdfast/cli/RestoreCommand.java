package io.holdfast.cli;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast restore}. */
@Command(
        name = "restore",
        description = "Gives a node of a new cluster the state of a backup, before its first start.",
        footer = {
            "",
            "Once for each member, each with its own --config and the same FILE; then start them all. The data folder must"
                    + " be empty. The name of the cluster may be another one.",
            "Make sure that no node of the old cluster runs any more, and none will: two clusters would give out the same"
                    + " locks.",
            "--force-new-epoch confirms that what the old cluster did after the backup is lost: locks released since are"
                    + " held again until their leases run out, locks granted since are free. Fencing tokens stay safe: the"
                    + " new cluster's log goes on 2^34 entries further up, so that its tokens are greater than any that the"
                    + " old one gave out.",
            "With -o json: file, node, cluster, data, from (cluster, index, lastToken, digest, createdAt), index, digest.",
            "Exit code: 0 restored, 1 the backup is damaged or of a newer version (BACKUP_UNUSABLE), 2 the configuration,"
                    + " the data folder or the confirmation is not right; nothing was changed.",
            "",
            "Examples:",
            "  holdfast backup verify locks-monday.zip",
            "  holdfast restore locks-monday.zip --config /etc/holdfast/node.yaml --force-new-epoch"
        })
final class RestoreCommand implements Callable<Exit> {
    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "FILE", description = "The backup.")
    private @Nullable Path file;

    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The configuration of the node.")
    private @Nullable Path config;

    @Option(names = "--force-new-epoch", description = "Confirm that all that came after the backup is given up.")
    private boolean isConfirmed;

    /** All that needs the server's classes stands elsewhere: the everyday commands, which know of this one, run without them. */
    @Override
    public Exit call() {
        return new RestoreWork(
                        Objects.requireNonNull(file), Objects.requireNonNull(config), isConfirmed, output.isJson())
                .run();
    }
}
