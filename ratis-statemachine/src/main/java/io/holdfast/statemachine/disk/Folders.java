package io.holdfast.statemachine.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Makes names last: a file that was created or renamed may be gone, or have its old name, when the power fails before its folder was forced. */
public final class Folders {
    private Folders() {}

    /**
     * Forces the names in a folder to the disk.
     *
     * @param folder the folder
     * @throws IOException if that fails
     */
    public static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /**
     * Writes a file that is found whole or not at all, and forces it and its name to the disk.
     *
     * @param file the file, which may exist
     * @param bytes its new content
     * @throws IOException if that fails; the file is as it was
     */
    public static void write(Path file, byte[] bytes) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (ByteBuffer left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        force(file.resolveSibling("."));
    }
}
