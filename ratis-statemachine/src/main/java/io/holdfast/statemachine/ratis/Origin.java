package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.DamagedDataException;
import io.holdfast.statemachine.disk.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** How this node came to its part in the cluster. Kept in the data folder, from before Ratis first writes there: a node that is stopped just then must not take it for another at its next start. */
enum Origin {
    /** It was one of the members at the cluster's first start. */
    FIRST_START,
    /** It was, or is to be, added to a cluster that runs: before the leader has told it, it knows no members. */
    ADDED;

    /** {@return what was noted in this data folder, if anything; a folder without a note is of a first start, or new} */
    static Optional<Origin> read(Path dataFolder) throws IOException {
        Path file = file(dataFolder);
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
        for (Origin origin : values()) {
            if (origin.name().equals(text)) {
                return Optional.of(origin);
            }
        }
        throw new DamagedDataException(file, -1, "neither " + FIRST_START + " nor " + ADDED);
    }

    void write(Path dataFolder) throws IOException {
        Folders.write(file(dataFolder), (name() + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static Path file(Path dataFolder) {
        return dataFolder.resolve("origin");
    }
}
