package io.holdfast.cli;

import io.holdfast.server.backup.BackupManifest;
import io.holdfast.server.backup.BackupReader;
import io.holdfast.server.backup.UnusableBackupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What {@code holdfast backup verify} does. Apart from the command, which must do without the server's classes to be listed by help.
 *
 * @param backup the backup
 * @param isJson how to print the result
 */
record BackupCheck(Path backup, boolean isJson) {
    Exit run() {
        if (!Files.isRegularFile(backup)) {
            throw Failure.usage("FILE", backup + ": there is no such file");
        }
        try {
            BackupManifest manifest = BackupReader.verify(backup);
            long bytes = Files.size(backup);
            Printer.result(isJson ? json(bytes, manifest) : text(bytes, manifest));
            return Exit.YES;
        } catch (UnusableBackupException e) {
            throw new Failure(Exit.NO, "BACKUP_UNUSABLE", "FILE", String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw Failure.usage("FILE", backup + " cannot be read: " + e);
        }
    }

    private String text(long bytes, BackupManifest manifest) {
        BackupManifest.Facts facts = manifest.facts();
        return "backup     " + backup + " is whole and sound"
                + "\nmade at    " + manifest.createdAt() + " by Holdfast " + manifest.product()
                + "\ncluster    " + facts.cluster()
                + "\nindex      " + facts.index() + ", term " + facts.term()
                + "\ndigest     " + facts.digest()
                + "\nsize       " + bytes + " bytes (" + Bytes.text(manifest.contentBytes()) + " in "
                + manifest.files().size() + " files unpacked)";
    }

    private String json(long bytes, BackupManifest manifest) {
        BackupManifest.Facts facts = manifest.facts();
        return Json.object(json -> {
            json.writeStringField("file", backup.toString());
            json.writeStringField("product", manifest.product());
            json.writeStringField("cluster", facts.cluster());
            Json.number(json, "term", facts.term());
            Json.number(json, "index", facts.index());
            Json.number(json, "leaseTime", facts.leaseTimeNanos());
            Json.number(json, "lastToken", facts.lastToken());
            json.writeNumberField("featureLevel", facts.featureLevel());
            json.writeStringField("digest", facts.digest());
            json.writeStringField("createdAt", manifest.createdAt().toString());
            json.writeNumberField("files", manifest.files().size());
            Json.number(json, "bytes", bytes);
        });
    }
}
