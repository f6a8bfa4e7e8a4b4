package io.holdfast.cli;

import io.holdfast.server.backup.BackupManifest;
import io.holdfast.server.backup.BackupReader;
import io.holdfast.server.backup.UnusableBackupException;
import io.holdfast.server.config.ConfigException;
import io.holdfast.server.config.ConfigFile;
import io.holdfast.server.config.MemberConfig;
import io.holdfast.server.config.ServerConfig;
import io.holdfast.server.node.Restoration;
import io.holdfast.server.node.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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

    @Override
    public Exit call() {
        Path backup = Objects.requireNonNull(file);
        if (!Files.isRegularFile(backup)) {
            throw Failure.usage("FILE", backup + ": there is no such file");
        }
        try {
            ServerConfig node = ConfigFile.load(Objects.requireNonNull(config));
            if (!isConfirmed) {
                throw unconfirmed(BackupReader.verify(backup));
            }
            Restoration.Restored restored = Restoration.run(backup, node);
            Printer.result(output.isJson() ? json(backup, node, restored) : text(backup, node, restored));
            return Exit.YES;
        } catch (UnusableBackupException e) {
            throw new Failure(Exit.NO, "BACKUP_UNUSABLE", "FILE", String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw Failure.usage("FILE", backup + " cannot be read: " + e.getMessage());
        } catch (ConfigException | StartException e) {
            throw Failure.usage("config", String.valueOf(e.getMessage()));
        }
    }

    private static Failure unconfirmed(BackupManifest backup) {
        return new Failure(
                Exit.USAGE,
                "NEW_EPOCH_NOT_CONFIRMED",
                "force-new-epoch",
                "nothing was done: the backup is of " + backup.createdAt() + ", log index "
                        + backup.facts().index() + ", and all that cluster "
                        + backup.facts().cluster() + " granted or released since would be given up. If no node of it"
                        + " runs any more, confirm with --force-new-epoch: tokens will then be greater than any that it"
                        + " gave out");
    }

    private static String text(Path backup, ServerConfig node, Restoration.Restored restored) {
        BackupManifest.Facts facts = restored.backup().facts();
        String others = node.members().stream()
                .map(MemberConfig::id)
                .filter(id -> !id.equals(node.node()))
                .collect(Collectors.joining(", "));
        return "restored   " + node.node() + " of cluster " + node.cluster() + ", in " + node.data()
                + "\nfrom       " + backup + ": cluster " + facts.cluster() + ", index " + facts.index() + ", of "
                + restored.backup().createdAt()
                + "\ndigest     " + facts.digest()
                + "\nlog        goes on after index " + restored.index()
                + "\nnext       "
                + (others.isEmpty() ? "start the node" : "restore " + others + " from the same file, then start all");
    }

    private static String json(Path backup, ServerConfig node, Restoration.Restored restored) {
        BackupManifest.Facts facts = restored.backup().facts();
        return Json.object(json -> {
            json.writeStringField("file", backup.toString());
            json.writeStringField("node", node.node());
            json.writeStringField("cluster", node.cluster());
            json.writeStringField("data", node.data().toString());
            json.writeObjectFieldStart("from");
            json.writeStringField("cluster", facts.cluster());
            Json.number(json, "index", facts.index());
            Json.number(json, "lastToken", facts.lastToken());
            json.writeStringField("digest", facts.digest());
            json.writeStringField("createdAt", restored.backup().createdAt().toString());
            json.writeEndObject();
            Json.number(json, "index", restored.index());
            json.writeStringField("digest", facts.digest());
        });
    }
}
