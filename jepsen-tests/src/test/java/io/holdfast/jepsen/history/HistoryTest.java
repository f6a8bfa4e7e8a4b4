package io.holdfast.jepsen.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    @TempDir
    Path folder;

    @Test
    void a_history_that_was_written_reads_back_the_same() throws IOException {
        Recorder recorder = new Recorder();
        long acquire = recorder.invoke("A", Action.ACQUIRE, "orders/ü 42", 0);
        recorder.granted(acquire, new Lease(Long.MAX_VALUE, 1_000, recorder.now(), recorder.now() + 990));
        recorder.ended(recorder.invoke("A", Action.RENEW, "orders/ü 42", Long.MAX_VALUE), Answer.NO, "NOT_HELD \"x\"");
        recorder.forget("A", "orders/ü 42", Long.MAX_VALUE, "died");
        recorder.invoke("B", Action.ACQUIRE, "open", 0);
        History history = recorder.history();

        Path file = folder.resolve("history.jsonl");
        history.write(file);

        assertThat(Files.readAllLines(file)).hasSize(4);
        assertThat(History.read(file)).isEqualTo(history);
        assertThat(history.operations())
                .extracting(Operation::answer)
                .containsExactly(Answer.YES, Answer.NO, Answer.YES, Answer.UNKNOWN);
        assertThat(history.operations().getLast().completedNanos()).isEqualTo(Operation.NEVER);
    }

    @Test
    void a_line_that_is_no_operation_is_refused() throws IOException {
        Path file = folder.resolve("history.jsonl");
        Files.write(file, List.of("{\"id\":\"1\",\"client\":\"A\""));
        assertThatThrownBy(() -> History.read(file)).isInstanceOf(IllegalArgumentException.class);
        Files.write(file, List.of("{}"));
        assertThatThrownBy(() -> History.read(file)).hasMessageContaining("no id");
    }

    @Test
    void an_operation_is_as_long_as_its_call() {
        Recorder recorder = new Recorder();
        long before = recorder.now();
        long id = recorder.invoke("A", Action.ACQUIRE, "x", 0);
        recorder.ended(id, Answer.NO, "held");
        long after = recorder.now();
        Operation operation = recorder.history().operations().getFirst();
        assertThat(operation.invokedNanos()).isBetween(before, operation.completedNanos());
        assertThat(operation.completedNanos()).isBetween(operation.invokedNanos(), after);
        assertThatThrownBy(() -> recorder.ended(id, Answer.NO, "again")).isInstanceOf(IllegalStateException.class);
    }
}
