package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file of the log, by its name.
 *
 * @param path where it is
 * @param start log index of its first entry
 * @param end log index of its last entry; −1 while the file is open, to be appended to
 */
record SegmentFile(Path path, long start, long end) {
    private static final Pattern NAME = Pattern.compile("log_(?:(\\d{1,18})-(\\d{1,18})|inprogress_(\\d{1,18}))");

    boolean isOpen() {
        return end < 0;
    }

    /**
     * Lists the log.
     *
     * @param current Ratis' folder
     * @return its files, in the order of their entries
     * @throws DamagedDataException if a file with the name of a log file is none
     */
    static List<SegmentFile> in(Path current) throws IOException {
        List<SegmentFile> files = new ArrayList<>();
        if (Files.notExists(current)) {
            return files;
        }
        try (Stream<Path> paths = Files.list(current)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                String name = path.getFileName().toString();
                if (name.startsWith("log_")) {
                    files.add(of(path, name));
                }
            }
        }
        files.sort(Comparator.comparingLong(SegmentFile::start).thenComparing(SegmentFile::path));
        return files;
    }

    private static SegmentFile of(Path path, String name) throws DamagedDataException {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches() || !Files.isRegularFile(path)) {
            throw new DamagedDataException(path, -1, "no log file has such a name");
        }
        return matcher.group(3) == null
                ? new SegmentFile(path, Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)))
                : new SegmentFile(path, Long.parseLong(matcher.group(3)), -1);
    }
}
