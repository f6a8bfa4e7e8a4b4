package io.holdfast.statemachine.snapshot;

import io.holdfast.statemachine.disk.Folders;
import java.io.IOException;
import java.io.Serial;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A disk has not confirmed what was written. What it has of the file is not known from then on, and asking again would prove nothing: the kernel may forget what it could not write. So the node must end.
 */
public final class FailedSyncException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    FailedSyncException(Path path, Exception cause) {
        super(path + " cannot be forced to the disk: " + cause.getMessage(), cause);
    }

    static void force(FileChannel channel, Path file) throws FailedSyncException {
        try {
            channel.force(true);
        } catch (IOException e) {
            throw new FailedSyncException(file, e);
        }
    }

    static void forceFolder(Path folder) throws FailedSyncException {
        try {
            Folders.force(folder);
        } catch (IOException e) {
            throw new FailedSyncException(folder, e);
        }
    }
}
