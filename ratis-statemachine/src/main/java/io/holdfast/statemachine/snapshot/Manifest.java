package io.holdfast.statemachine.snapshot;

import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * What a checkpoint consists of. Written last: a folder without one is no checkpoint.
 *
 * <p>Lines of text, the last one a checksum over all before. The first line never changes its form, so that a node can tell a newer format from damage.
 *
 * @param cluster name of the cluster
 * @param term term of the last entry whose effect it has
 * @param index log index of that entry
 * @param featureLevel feature level of the store
 * @param files all other files, by name
 */
record Manifest(String cluster, long term, long index, int featureLevel, SortedMap<String, FileSeal> files) {
    /** The format in which checkpoints are written, and the newest that can be read. */
    static final int FORMAT = 1;

    static final String FILE = "checkpoint.manifest";

    /** Most bytes that are read: a checkpoint has tens of files, each a line. */
    private static final long MAX_BYTES = 16 << 20;

    private static final String NUMBER = "(0|[1-9][0-9]{0,18})";
    private static final Pattern FIRST = Pattern.compile("holdfast checkpoint " + NUMBER);
    private static final Pattern HEAD = Pattern.compile("holdfast checkpoint 1\\ncluster (\\V+)\\nterm " + NUMBER
            + "\\nindex " + NUMBER + "\\nfeature level " + NUMBER + "\\n");
    private static final Pattern LINE = Pattern.compile("file ([A-Za-z0-9._-]+) " + NUMBER + " ([0-9a-f]{8})\\n");
    private static final String CHECKSUM = "checksum ";

    /**
     * By what the content of a file is known.
     *
     * @param size its bytes
     * @param crc32c CRC-32C (Castagnoli) of them
     */
    record FileSeal(long size, int crc32c) {
        @Override
        public String toString() {
            return size + " " + hex(crc32c);
        }
    }

    Manifest {
        files = new TreeMap<>(files);
    }

    byte[] bytes() {
        StringBuilder text = new StringBuilder("holdfast checkpoint " + FORMAT + "\ncluster " + cluster + "\nterm "
                + term + "\nindex " + index + "\nfeature level " + featureLevel + "\n");
        files.forEach((name, seal) ->
                text.append("file ").append(name).append(' ').append(seal).append('\n'));
        String body = text.toString();
        return (body + CHECKSUM + hex(crc32c(body)) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the manifest of a checkpoint.
     *
     * @throws DamagedDataException if there is none, or it is not as it was written
     * @throws IOException if it is of a newer format, or cannot be read
     */
    static Manifest read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new DamagedDataException(file, -1, "it is missing");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new DamagedDataException(file, -1, "it is far too long");
        }
        String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        int end = all.lastIndexOf(CHECKSUM);
        if (end < 0 || !all.substring(end).equals(CHECKSUM + hex(crc32c(all.substring(0, end))) + "\n")) {
            throw new DamagedDataException(file, -1, "its checksum is not that of its content");
        }
        requireFormat(file, all);
        return parse(file, all.substring(0, end));
    }

    private static void requireFormat(Path file, String text) throws IOException {
        Matcher first = FIRST.matcher(text);
        if (first.lookingAt() && !first.group(1).equals(Integer.toString(FORMAT))) {
            throw new IOException(file + " is of checkpoint format " + first.group(1) + ", and this version of Holdfast"
                    + " reads up to " + FORMAT + ": start the version that wrote it, or a newer one");
        }
    }

    private static Manifest parse(Path file, String text) throws IOException {
        Matcher head = HEAD.matcher(text);
        if (!head.lookingAt()) {
            throw new DamagedDataException(file, -1, "not what Holdfast writes there");
        }
        SortedMap<String, FileSeal> files = new TreeMap<>();
        Matcher line = LINE.matcher(text).region(head.end(), text.length());
        while (line.lookingAt()) {
            int crc = HexFormat.fromHexDigits(line.group(3));
            if (files.put(line.group(1), new FileSeal(Long.parseLong(line.group(2)), crc)) != null) {
                break;
            }
            line.region(line.end(), text.length());
        }
        if (line.regionStart() != text.length()) {
            throw new DamagedDataException(file, line.regionStart(), "not what Holdfast writes there");
        }
        try {
            return new Manifest(
                    head.group(1),
                    Long.parseLong(head.group(2)),
                    Long.parseLong(head.group(3)),
                    Integer.parseInt(head.group(4)),
                    files);
        } catch (NumberFormatException e) {
            throw new DamagedDataException(file, -1, "a number in it is out of range");
        }
    }

    private static int crc32c(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }

    private static String hex(int crc) {
        return HexFormat.of().toHexDigits(crc);
    }
}
