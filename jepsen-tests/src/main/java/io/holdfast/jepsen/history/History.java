package io.holdfast.jepsen.history;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * All operations of a run, in order of invocation.
 *
 * @param operations sorted by {@link Operation#id()}
 */
public record History(List<Operation> operations) {
    /** Sorts, and takes a copy. */
    public History {
        operations = operations.stream()
                .sorted(Comparator.comparingLong(Operation::id))
                .toList();
    }

    /** {@return the history in that file, one JSON object per line} */
    public static History read(Path file) throws IOException {
        try (var lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return new History(lines.filter(line -> !line.isBlank())
                    .map(OperationJson::read)
                    .toList());
        }
    }

    /** Writes one JSON object per line. */
    public void write(Path file) throws IOException {
        Files.write(file, operations.stream().map(OperationJson::write).toList(), StandardCharsets.UTF_8);
    }

    /** {@return how many operations are that action with that answer} */
    public long count(Action action, Answer answer) {
        return operations.stream()
                .filter(o -> o.action() == action && o.answer() == answer)
                .count();
    }
}
