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
import java.util.stream.Collectors;

/**
 * What {@code holdfast restore} does.
 *
 * @param backup the backup
 * @param config the configuration of the node
 * @param isConfirmed whether all that came after the backup may be given up
 * @param isJson how to print the result
 */
record RestoreWork(Path backup, Path config, boolean isConfirmed, boolean isJson) {
    Exit run() {
        if (!Files.isRegularFile(backup)) {
            throw Failure.usage("FILE", backup + ": there is no such file");
        }
        try {
            ServerConfig node = ConfigFile.load(config);
            if (!isConfirmed) {
                throw unconfirmed(BackupReader.verify(backup));
            }
            Restoration.Restored restored = Restoration.run(backup, node);
            Printer.result(isJson ? json(node, restored) : text(node, restored));
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

    private String text(ServerConfig node, Restoration.Restored restored) {
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

    private String json(ServerConfig node, Restoration.Restored restored) {
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
