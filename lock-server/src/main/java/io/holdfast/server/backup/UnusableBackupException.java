package io.holdfast.server.backup;

import java.io.IOException;
import java.nio.file.Path;

/** A file that is no backup, is damaged, or is of a format that this version does not know. The message names file and entry. */
public final class UnusableBackupException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param file the backup
     * @param problem what is wrong with it, as the end of a sentence
     */
    public UnusableBackupException(Path file, String problem) {
        super(file + ": " + problem);
    }
}
