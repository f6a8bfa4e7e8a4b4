package io.holdfast.statemachine.disk;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/**
 * A file of this node is not what the node once wrote and forced to the disk: the disk, a copy or a hand has changed it. Starting from it could bring back a lock that was released, or forget one that is held; so the node does not start.
 */
public final class DamagedDataException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient Path file;
    private final long offset;

    /**
     * Names the place, and the way out.
     *
     * @param file the file
     * @param offset the byte in it, from 0; −1 if it is the file as a whole
     * @param what what is wrong there, as the end of a sentence
     */
    public DamagedDataException(Path file, long offset, String what) {
        super("Damaged data: " + file + (offset < 0 ? "" : " at byte " + offset) + ": " + what
                + ". This node must not start from it. If a majority of the others is well, let them give it their data:"
                + " holdfast server --config FILE --rejoin");
        this.file = file;
        this.offset = offset;
    }

    /** {@return the file} */
    public Path file() {
        return file;
    }

    /** {@return the byte in the file, from 0; −1 if it is the file as a whole} */
    public long offset() {
        return offset;
    }
}
