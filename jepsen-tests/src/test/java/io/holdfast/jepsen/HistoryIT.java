package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.HoldfastClient;
import io.holdfast.jepsen.checker.Checker;
import io.holdfast.jepsen.checker.Verdict;
import io.holdfast.jepsen.history.Action;
import io.holdfast.jepsen.history.Answer;
import io.holdfast.jepsen.history.History;
import io.holdfast.jepsen.load.Load;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients fight for locks while nodes die and freeze; then what they saw is checked. */
@OnSharedCluster
class HistoryIT {
    private static final int CLIENTS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void what_clients_see_obeys_all_rules_while_leaders_die_and_freeze(RealCluster cluster) throws IOException {
        History history;
        try (HoldfastClient library = Scenarios.library(cluster);
                Load load = MixedLoad.start(MixedLoad.plan(CLIENTS), cluster, library)) {
            for (int round = 0; round < Rounds.orElse(1); round++) {
                moreGrants(load, 20);
                NodeProcess killed = cluster.leader();
                killed.kill();
                moreGrants(load, 20);
                killed.start();
                cluster.heal();
                NodeProcess frozen = cluster.leader();
                frozen.pause();
                moreGrants(load, 20);
                frozen.resume();
                moreGrants(load, 20);
            }
            history = load.stop();
        }
        check(history);
    }

    private static void moreGrants(Load load, int more) {
        long goal = load.sofar().count(Action.ACQUIRE, Answer.YES) + more;
        await().atMost(PATIENCE).until(() -> load.sofar().count(Action.ACQUIRE, Answer.YES) >= goal);
    }

    static void check(History history) throws IOException {
        Path file = Path.of("target", "history-" + System.currentTimeMillis() + ".jsonl");
        history.write(file);
        List<Verdict> verdicts =
                Checker.ALL.stream().map(checker -> checker.check(history)).toList();
        verdicts.forEach(v -> System.out.println(v.checker() + ": " + (v.valid() ? "valid" : "VIOLATED") + ", "
                + v.operations() + " of " + history.operations().size() + " operations"));
        assertThat(verdicts).as("%s", file).allMatch(Verdict::valid);
        assertThat(history.count(Action.RENEW, Answer.YES)).isPositive();
        assertThat(history.count(Action.FORGET, Answer.YES)).isPositive();
        Files.delete(file);
    }
}
