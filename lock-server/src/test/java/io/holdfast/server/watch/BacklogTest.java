package io.holdfast.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Command;
import io.holdfast.core.Limits;
import io.holdfast.core.LockTable;
import io.holdfast.core.Position;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node tells that did not apply it itself. */
class BacklogTest {
    private final HubBench bench = new HubBench(64);
    private final LockTable table = new LockTable(Limits.DEFAULT);

    @Test
    void a_node_that_starts_tells_what_its_checkpoint_remembers() {
        raise();
        bench.open(table, 5, 2, false);
        bench.open(table, 9, 1, false);
        bench.hub.onReplaced(table);
        bench.settle();

        assertThat(bench.prefixFrom("", 2, 0).events()).containsExactly("5.0:session+", "5.1:session+", "9.0:session+");
        assertThat(bench.prefixFrom("", 5, 1).events()).containsExactly("5.1:session+", "9.0:session+");
        assertThat(bench.prefixFrom("", 1, 0).end)
                .as("of a time without events nothing can be told")
                .contains(new WatchEnd.TooOld(2));
        bench.open(table, 12, 1, true);
        assertThat(bench.prefixFrom("", 9, 0).events()).containsExactly("9.0:session+", "12.0:session+");
    }

    @Test
    void a_jump_to_a_checkpoint_that_remembers_what_was_missed_is_not_even_noticed() {
        raise();
        bench.hub.onReplaced(table);
        FakeOutlet watcher = bench.prefix("");
        bench.open(table, 5, 1, true);
        bench.open(table, 6, 2, false);
        bench.open(table, 9, 1, false);
        bench.hub.onReplaced(table);
        bench.settle();
        bench.open(table, 10, 1, true);

        assertThat(watcher.end).isEmpty();
        assertThat(watcher.events())
                .containsExactly("5.0:session+", "6.0:session+", "6.1:session+", "9.0:session+", "10.0:session+");
        assertThat(watcher.completeTo()).isEqualTo(10);
    }

    private void raise() {
        table.apply(new Position(1, 0), List.of(new Command.RaiseFeatureLevel(2)));
    }
}
