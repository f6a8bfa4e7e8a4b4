package io.holdfast.statemachine.ratis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes names last: a file that was created or renamed may be gone, or have its old name, when the power fails before its folder was forced. */
final class Folders {
    private Folders() {}

    /**
     * Forces the names in a folder to the disk.
     *
     * @param folder the folder
     * @throws IOException if that fails
     */
    static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
