package io.holdfast.server.node;

import io.holdfast.server.backup.BackupManifest;
import io.holdfast.server.backup.BackupReader;
import io.holdfast.server.backup.UnusableBackupException;
import io.holdfast.server.config.ServerConfig;
import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.ratis.RaftSeed;
import io.holdfast.statemachine.snapshot.Seed;
import java.io.IOException;
import java.nio.file.Path;

/** Gives a node, before its first start, the state of a backup. All members of the new cluster must be given the same one. */
public final class Restoration {
    private final Path backup;
    private final ServerConfig config;

    private Restoration(Path backup, ServerConfig config) {
        this.backup = backup;
        this.config = config;
    }

    /**
     * What the node starts from.
     *
     * @param backup what is in the backup
     * @param index log index of the state in the new cluster: its log goes on after it
     */
    public record Restored(BackupManifest backup, long index) {}

    /**
     * Restores. If it fails, the data folder is as empty as before.
     *
     * @param backup the backup file
     * @param config the node, one of the members of the new cluster
     * @return what it starts from
     * @throws UnusableBackupException if the backup is damaged, or of a format that this version does not know
     * @throws StartException if the data folder is not empty, or cannot be used
     */
    public static Restored run(Path backup, ServerConfig config) throws StartException, UnusableBackupException {
        try (VacantFolder folder = VacantFolder.take(config)) {
            return new Restoration(backup, config).into(folder);
        } catch (UnusableBackupException e) {
            throw e;
        } catch (IOException e) {
            throw new StartException(config.file() + ": data is " + config.data() + ", which cannot be restored to: "
                    + (e.getMessage() == null ? e.toString() : e.getMessage()));
        }
    }

    private Restored into(VacantFolder folder) throws IOException, StartException {
        boolean isDone = false;
        try {
            Path draft = folder.draft();
            BackupManifest manifest = BackupReader.unpack(backup, draft);
            long index = plant(manifest, draft);
            // Last: only now a node may start from it.
            folder.claim();
            isDone = true;
            return new Restored(manifest, index);
        } finally {
            if (!isDone) {
                folder.clear();
            }
        }
    }

    private long plant(BackupManifest manifest, Path files) throws IOException {
        long index;
        try {
            index = RaftSeed.plant(RaftPorts.raftConfig(config), files);
        } catch (DamagedDataException e) {
            throw new UnusableBackupException(backup, "its files are no snapshot: " + e.getMessage());
        }
        if (index != manifest.facts().index() + Seed.INDEXES_AHEAD) {
            throw new UnusableBackupException(
                    backup,
                    "its manifest is of log index " + manifest.facts().index() + ", and its files of "
                            + (index - Seed.INDEXES_AHEAD));
        }
        return index;
    }
}
