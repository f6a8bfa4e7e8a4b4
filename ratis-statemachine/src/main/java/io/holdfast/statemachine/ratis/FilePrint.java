package io.holdfast.statemachine.ratis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * By what a file is known again.
 *
 * @param modifiedNanos when it was written, in ns since 1970 by the file system's clock
 * @param size its bytes
 */
record FilePrint(long modifiedNanos, long size) {
    static FilePrint of(Path file) throws IOException {
        return new FilePrint(Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS), Files.size(file));
    }

    static long checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }
}
