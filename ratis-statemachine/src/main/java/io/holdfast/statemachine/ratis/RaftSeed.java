package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.Folders;
import io.holdfast.statemachine.snapshot.Checkpoint;
import io.holdfast.statemachine.snapshot.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Gives a node, before its first start, the state of a backup instead of none. All members of the new cluster must be given the same. */
public final class RaftSeed {
    private RaftSeed() {}

    /**
     * Writes what the node will start from.
     *
     * @param config the node, one of the first members of a new cluster
     * @param files a folder with the files of a checkpoint
     * @return log index of the state; the new cluster's log goes on after it
     * @throws IOException if the node has data already, the files are damaged or of a newer format, or the folder cannot be written to
     */
    public static long plant(RaftNodeConfig config, Path files) throws IOException {
        GroupFolder group = GroupFolder.of(config);
        if (!group.isEmpty()) {
            throw new IOException("Data folder " + config.folder() + " is not empty");
        }
        Files.createDirectories(group.root());
        Checkpoint checkpoint = Seed.plant(files, group.root(), config.cluster());
        Standing.MEMBER.write(config.folder());
        // Last: without it a node that was stopped just before does not start. With nothing in this folder Ratis would
        // take the node for a new one, and begin by deleting the checkpoint.
        Files.createDirectories(group.current());
        Folders.write(group.meta(), new RaftMeta(checkpoint.term(), "").bytes());
        Folders.force(group.root());
        return checkpoint.index();
    }
}
