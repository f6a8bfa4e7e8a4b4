package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.snapshot.Checkpoint;
import java.util.List;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.jspecify.annotations.Nullable;

/**
 * What Ratis knows of this node's checkpoints: one at a time, which it sends to followers, and up to which it purges its log.
 *
 * <p>It is told of a new one only when it asks for it by {@code takeSnapshot}: if it knew before, it would find nothing to do, and not purge.
 */
final class RatisSnapshots implements StateMachineStorage {
    private volatile @Nullable FileListSnapshotInfo latest;

    /** {@return log index of the checkpoint that is the latest from now on} */
    long show(Checkpoint checkpoint) {
        // Without a digest, Ratis makes one while it sends the file, instead of reading each file once more before.
        List<FileInfo> files = checkpoint.files().stream()
                .map(file -> new FileInfo(file, null))
                .toList();
        latest = new FileListSnapshotInfo(files, checkpoint.term(), checkpoint.index());
        return checkpoint.index();
    }

    /** {@return log index of the latest; −1 without any} */
    long index() {
        FileListSnapshotInfo known = latest;
        return known == null ? RaftLog.INVALID_LOG_INDEX : known.getIndex();
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        return latest;
    }

    @Override
    public void init(RaftStorage storage) {}

    @Override
    public void format() {}

    /** It would delete on the thread that applies. */
    @Override
    public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) {}
}
