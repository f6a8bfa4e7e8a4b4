package io.holdfast.server.grpc;

import io.holdfast.server.backup.BackupManifest;
import io.holdfast.server.proposer.Unanswered;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What operators ask of a node: a port that the node fills, and a fake in tests. Thread safe; only {@link #openBackup} blocks.
 *
 * <p>A stage that fails does so with an {@link OperationRefused}, which had no effect, or with an {@link Unanswered}, which says whether it may have.
 */
public interface Operations {
    /**
     * Adds a member, once it has caught up. This node must lead.
     *
     * @param member the new member, whose node runs and waits to be added
     * @param catchUp how long it may take
     * @return the members with it
     */
    CompletionStage<List<Cluster.Member>> addMember(Cluster.Member member, Duration catchUp);

    /**
     * Removes a member. This node must lead; if it is the one to go, it hands leadership over and answers that it does not lead.
     *
     * @param nodeId the member
     * @return the members that are left
     */
    CompletionStage<List<Cluster.Member>> removeMember(String nodeId);

    /**
     * Hands leadership over. This node must lead.
     *
     * @param nodeId who is to lead; empty for whichever member is furthest
     * @return who leads then
     */
    CompletionStage<String> transferLeadership(Optional<String> nodeId);

    /**
     * Takes a snapshot on this node.
     *
     * @return what it is
     */
    CompletionStage<SnapshotTaken> takeSnapshot();

    /**
     * Takes a snapshot on this node, and keeps it from being removed until it is closed. May take seconds.
     *
     * @return its files and what they are
     * @throws IOException if the disk fails; the message names the file
     */
    PinnedSnapshot openBackup() throws IOException;

    /**
     * A snapshot that was taken.
     *
     * @param term term of the last entry in it
     * @param index log index of the last entry in it
     * @param isNew false if there was one at this index already
     * @param bytes how much room its files take
     */
    record SnapshotTaken(long term, long index, boolean isNew, long bytes) {}

    /** A snapshot whose files stay where they are until it is closed. */
    interface PinnedSnapshot extends AutoCloseable {
        /** {@return what a backup of it says about itself} */
        BackupManifest manifest();

        /** {@return the folder with the files that the manifest names} */
        Path folder();

        @Override
        void close();
    }
}
