package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.disk.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a node last knew of its part in the cluster. Kept in the data folder, and written before it acts upon it: a node that is stopped in between must not take itself for another at its next start. */
enum Standing {
    /** It is a member. A folder with data and without a note is of one, too. */
    MEMBER,
    /** It waits to be added by whoever runs the cluster: before the leader has told it, it knows no members. */
    WAITING,
    /** It was a member, lost its data, and is to be removed and added again, which it asks for itself. */
    REJOINING,
    /** It was a member once, and is none any more. */
    REMOVED;

    /** {@return what was noted in this data folder, if anything} */
    static Optional<Standing> read(Path dataFolder) throws IOException {
        Path file = file(dataFolder);
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
        return Optional.of(Arrays.stream(values())
                .filter(standing -> standing.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new DamagedDataException(file, -1, "none of " + List.of(values()))));
    }

    void write(Path dataFolder) throws IOException {
        Folders.write(file(dataFolder), (name() + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static Path file(Path dataFolder) {
        return dataFolder.resolve("standing");
    }
}
