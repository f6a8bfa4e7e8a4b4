package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.jepsen.process.ClassArchive;
import io.holdfast.jepsen.process.JavaCommand;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.process.Shell;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.GetNodeStatusResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code docs/operations.md} tells an operator to do, typed as it stands there. */
@Tag("faults")
class OperatorProceduresIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LASTING = Duration.ofMinutes(30);

    /** What a node shows that waits to be added, and the rest of the command. */
    private static final String ADD = "it waits to be added by holdfast cluster add ";

    private final JavaCommand java = ClassArchive.quickJava();
    private final Shell shell = new Shell(java);
    private final String lock = Names.fresh("procedure");
    private final RealCluster cluster = RealCluster.start(
            Path.of("target", "clusters", "procedures-" + System.currentTimeMillis())
                    .toAbsolutePath(),
            3,
            java);
    private final Grant held = client().mustAcquire(client().request(lock, LASTING, Duration.ZERO));

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void a_host_is_replaced() {
        NodeProcess replacement = cluster.startNew();
        await().atMost(PATIENCE).until(() -> waiting(replacement).contains(ADD));

        String add = waiting(replacement).replaceFirst(".*" + ADD, "cluster add ");
        assertThat(type(add.split(" ", -1)).orFail().out()).isEqualTo("added n4; the members are now n1, n2, n3, n4\n");
        NodeProcess gone = cluster.followers().stream()
                .filter(it -> it != replacement)
                .findFirst()
                .orElseThrow();
        gone.kill();
        assertThat(type("cluster", "remove", gone.id()).orFail().out()).startsWith("removed " + gone.id());

        cluster.forget(gone);
        cluster.heal();
        assertThat(type("cluster", "members").orFail().out()).contains("n4 ").doesNotContain(gone.id() + " ");
        assertStillHeld();
    }

    @Test
    void a_node_with_a_damaged_file_rejoins() throws IOException {
        NodeProcess node = cluster.followers().getFirst();
        node.kill();
        Path damaged = damage(node.data());

        node.start();
        assertThat(node.awaitEnd(PATIENCE)).isEqualTo(2);
        assertThat(node.logTail(5)).contains("Damaged data: " + damaged).contains("--rejoin");

        node.startWith("--rejoin");
        cluster.heal();
        assertThat(node.logTail(200)).contains("the old data is now in " + node.data() + ".aside-");
        assertThat(node.terminate(PATIENCE)).isZero();
        node.start();
        cluster.heal();
        assertThat(type("cluster", "members").orFail().out()).contains("n1 ", "n2 ", "n3 ");
        ReplicaIT.assertAgreement(cluster);
        assertStillHeld();
    }

    @Test
    void a_leader_is_relieved_before_its_host_is_worked_on() {
        NodeProcess leader = cluster.leader();
        NodeProcess next = cluster.followers().getFirst();

        // Who has just come back may be a moment behind: then the command says so, and is typed again.
        Shell.Ended handedOver = await().atMost(PATIENCE)
                .until(() -> type("cluster", "transfer-leader", next.id()), it -> it.code() == 0);

        assertThat(handedOver.out()).isEqualTo(next.id() + " leads\n");

        assertThat(cluster.leader().id()).isEqualTo(next.id());
        assertThat(leader.terminate(PATIENCE)).isZero();
        assertThat(type("cluster", "status").orFail().out())
                .contains("leader " + next.id())
                .contains("unreachable");
        leader.start();
        cluster.heal();
        assertStillHeld();
    }

    /** Changes one byte in the middle of what is written of the log. */
    private static Path damage(Path data) throws IOException {
        Path log;
        try (Stream<Path> files = Files.walk(data)) {
            log = files.filter(it -> String.valueOf(it.getFileName()).startsWith("log_"))
                    .max(Comparator.comparing(Path::toString))
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(log);
        // The file is longer than what is written of it; the first entries are long since behind.
        bytes[64] ^= 1;
        Files.write(log, bytes);
        return log;
    }

    private Shell.Ended type(String... words) {
        return shell.run(Stream.concat(Stream.of(words), Stream.of("--endpoints", cluster.endpoints()))
                .toArray(String[]::new));
    }

    private static String waiting(NodeProcess node) {
        return node.status().map(GetNodeStatusResponse::getWaiting).orElse("");
    }

    private void assertStillHeld() {
        assertThat(client().look(lock).orElseThrow().getHoldersList())
                .singleElement()
                .satisfies(hold -> assertThat(hold.getToken()).isEqualTo(held.token()));
    }

    private WireClient client() {
        return new WireClient(() -> cluster.leader().wire());
    }
}
