package io.holdfast.cli;

import io.holdfast.client.BackupInfo;
import io.holdfast.server.backup.BackupManifest;
import io.holdfast.server.backup.BackupReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Where a backup goes: under its name there is only ever a whole and verified one.
 *
 * @param file absolute
 * @param isForced whether it may replace another
 */
record BackupTarget(Path file, boolean isForced) {
    private static final int BUFFER_BYTES = 1 << 20;

    /** Sends the bytes of a backup. */
    interface Source {
        BackupInfo send(OutputStream out) throws IOException, InterruptedException;
    }

    /**
     * Looks whether a backup can be written there, before any work is done.
     *
     * @throws Failure if not
     */
    static BackupTarget of(Path file, boolean isForced) {
        BackupTarget target = new BackupTarget(file.toAbsolutePath().normalize(), isForced);
        if (!Files.isDirectory(target.folder())) {
            throw Failure.usage("FILE", target.file + " cannot be written: there is no folder " + target.folder());
        }
        if (Files.isDirectory(target.file)) {
            throw Failure.usage("FILE", target.file + " is a folder");
        }
        target.refuseTaken();
        return target;
    }

    private void refuseTaken() {
        if (!isForced && Files.exists(file)) {
            throw Failure.usage("FILE", file + " is there already; --force replaces it");
        }
    }

    private Path folder() {
        return Objects.requireNonNull(file.getParent(), "an absolute file is in a folder");
    }

    private Path part() {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    /**
     * Writes a backup, reads it again, and gives it its name. What is there under that name until then stays.
     *
     * @throws Failure if the disk fails
     */
    BackupInfo write(Source source) throws InterruptedException {
        try {
            BackupInfo info = receive(source);
            BackupManifest manifest = BackupReader.verify(part());
            if (manifest.facts().index() != info.index()
                    || !manifest.facts().digest().equals(info.digest())) {
                throw new IOException("the manifest in it is of another state than the node said");
            }
            publish();
            return info;
        } catch (IOException e) {
            throw Failure.usage("FILE", file + " cannot be written: " + e.getMessage());
        } finally {
            discard();
        }
    }

    private BackupInfo receive(Source source) throws IOException, InterruptedException {
        Files.deleteIfExists(part()); // of an earlier attempt that was killed
        try (FileChannel channel = FileChannel.open(part(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES)) {
            BackupInfo info = source.send(out);
            out.flush();
            channel.force(true);
            return info;
        }
    }

    private void publish() throws IOException {
        refuseTaken();
        Files.move(part(), file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel channel = FileChannel.open(folder(), StandardOpenOption.READ)) {
            channel.force(true); // the name too must survive a power cut
        }
    }

    private void discard() {
        try {
            Files.deleteIfExists(part());
        } catch (IOException e) {
            Printer.note("holdfast: " + part() + " is left over: " + e.getMessage());
        }
    }
}
