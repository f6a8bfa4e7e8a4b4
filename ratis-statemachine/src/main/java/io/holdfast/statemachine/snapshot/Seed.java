package io.holdfast.statemachine.snapshot;

import io.holdfast.core.Changes;
import io.holdfast.core.Limits;
import io.holdfast.core.StoreImage;
import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The state that a new cluster begins with, made of a checkpoint of another: of a backup. */
public final class Seed {
    /**
     * By how many log indexes the state moves up. A log of the lost cluster would have to have gone on for 2^34 entries after the checkpoint, at 10,000 a second for 19 days, before one of its tokens reached the first of the new cluster. Some eight thousand restores fit below 2^47, where tokens end.
     */
    public static final long INDEXES_AHEAD = 1L << 34;

    /** The term of the state. Not 0: a node without any entry is in that, and Ratis elects nobody whose voters all have none. */
    public static final long TERM = 1;

    private Seed() {}

    /**
     * Writes the first checkpoint of a node that has none, as of {@link #TERM}: a new log begins.
     *
     * @param files a folder with the files of the checkpoint
     * @param root the folder that will be Ratis' for the group
     * @param cluster name of the new cluster
     * @return the new checkpoint
     * @throws DamagedDataException if the files are not what was sealed once, or no state
     * @throws IOException if they are of a newer format, or cannot be read, or the folder cannot be written to
     */
    public static Checkpoint plant(Path files, Path root, String cluster) throws IOException {
        Checkpoint from = Checkpoint.open(files);
        from.verify();
        NativeLibrary.load(root.resolve("native"));
        Path folder = root.resolve("live");
        try (LiveStore live = LiveStore.open(folder, Optional.of(from))) {
            // Nobody is to find out at the first start of the node that this cannot be restored from.
            var unused = live.restore(Limits.DEFAULT);
            StoreImage store = live.store();
            long index = store.appliedIndex() + INDEXES_AHEAD;
            live.write(new Changes(store.at(index), List.of(), List.of(), 1, 1, 1));
            Checkpoints checkpoints = new Checkpoints(root.resolve("sm"), root.resolve("drafts"));
            Path draft = checkpoints.draft(TERM, index);
            live.checkpoint(draft);
            Checkpoint.seal(draft, cluster, TERM, index, store.featureLevel(), Optional.empty());
            return checkpoints.publish(draft, TERM, index);
        }
    }
}
