package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What this node last saw in Ratis' two files that have no checksum of their own. Kept beside them in {@code raft-meta.seal}.
 *
 * @param metaPrint by what {@code raft-meta} is known again
 * @param metaChecksum CRC32C of it
 * @param meta what it said
 * @param configuration what {@code raft-meta.conf} was, if there was one
 */
record MetaSeal(FilePrint metaPrint, long metaChecksum, RaftMeta meta, Optional<OfConfiguration> configuration) {
    private static final String FILE = "raft-meta.seal";
    private static final String NUMBER = "([0-9]{1,19})";
    private static final String PRINT = NUMBER + " " + NUMBER + " ([0-9a-f]{8}) ";
    private static final Pattern TEXT = Pattern.compile("raft-meta " + PRINT + NUMBER + " (" + Peers.ID + ")?\\n"
            + "(?:raft-meta\\.conf " + PRINT + NUMBER + " ([0-9a-f]*)\\n)?");

    /**
     * The configuration's part.
     *
     * @param print by what the file is known again
     * @param checksum CRC32C of it
     * @param index log index of the configuration in it
     * @param content the file's bytes, in hexadecimal
     */
    record OfConfiguration(FilePrint print, long checksum, long index, String content) {
        static OfConfiguration of(FilePrint print, byte[] bytes, long index) {
            return new OfConfiguration(
                    print, FilePrint.checksum(bytes), index, HexFormat.of().formatHex(bytes));
        }

        byte[] bytes() {
            return HexFormat.of().parseHex(content);
        }
    }

    /** {@return the seal in this folder; empty if there is none, or it is damaged itself} */
    static Optional<MetaSeal> read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        int end = all.lastIndexOf("checksum ");
        if (end < 0 || !all.equals(withChecksum(all.substring(0, end)))) {
            return Optional.empty();
        }
        Matcher matcher = TEXT.matcher(all.substring(0, end));
        return matcher.matches() ? Optional.of(of(matcher)) : Optional.empty();
    }

    private static MetaSeal of(Matcher text) {
        String votedFor = text.group(5);
        return new MetaSeal(
                new FilePrint(Long.parseLong(text.group(1)), Long.parseLong(text.group(2))),
                Long.parseLong(text.group(3), 16),
                new RaftMeta(Long.parseLong(text.group(4)), votedFor == null ? "" : votedFor),
                text.group(6) == null
                        ? Optional.empty()
                        : Optional.of(new OfConfiguration(
                                new FilePrint(Long.parseLong(text.group(6)), Long.parseLong(text.group(7))),
                                Long.parseLong(text.group(8), 16),
                                Long.parseLong(text.group(9)),
                                text.group(10))));
    }

    /** Writes it, whole or not at all. */
    void write(Path folder) throws IOException {
        Folders.write(folder.resolve(FILE), withChecksum(text()).getBytes(StandardCharsets.UTF_8));
    }

    private String text() {
        return "raft-meta " + print(metaPrint, metaChecksum) + meta.term() + " " + meta.votedFor() + "\n"
                + configuration
                        .map(it -> "raft-meta.conf " + print(it.print(), it.checksum()) + it.index() + " "
                                + it.content() + "\n")
                        .orElse("");
    }

    private static String print(FilePrint print, long checksum) {
        return print.modifiedNanos() + " " + print.size() + " " + hex(checksum) + " ";
    }

    private static String withChecksum(String text) {
        return text + "checksum " + hex(FilePrint.checksum(text.getBytes(StandardCharsets.UTF_8))) + "\n";
    }

    private static String hex(long checksum) {
        return HexFormat.of().toHexDigits((int) checksum);
    }
}
