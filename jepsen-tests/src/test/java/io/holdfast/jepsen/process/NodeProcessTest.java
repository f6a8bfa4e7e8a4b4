package io.holdfast.jepsen.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Process control, on processes that cost nothing. */
class NodeProcessTest {
    @TempDir
    Path folder;

    private final Reaper reaper = new Reaper();

    @AfterEach
    void endAll() {
        reaper.close();
    }

    @Test
    void a_killed_node_is_gone_and_starts_again_as_another_process() {
        try (NodeProcess node = node("exec sleep 600")) {
            node.start();
            long first = node.pid();
            assertThatThrownBy(node::start).isInstanceOf(IllegalStateException.class);
            node.kill();
            assertThat(ProcessHandle.of(first).filter(ProcessHandle::isAlive)).isEmpty();
            assertThat(node.isAlive()).isFalse();
            node.start();
            assertThat(node.pid()).isNotEqualTo(first);
        }
    }

    @Test
    void a_paused_node_is_frozen_until_it_is_resumed() {
        try (NodeProcess node = node("exec sleep 600")) {
            node.start();
            node.pause();
            assertThat(Signal.isStopped(node.pid())).isTrue();
            assertThat(node.isAlive()).isTrue();
            assertThat(node.isRunning()).isFalse();
            node.resume();
            assertThat(Signal.isStopped(node.pid())).isFalse();
            assertThat(node.isRunning()).isTrue();
        }
    }

    @Test
    void a_frozen_node_can_be_killed() {
        try (NodeProcess node = node("exec sleep 600")) {
            node.start();
            node.pause();
            node.kill();
            assertThat(node.isAlive()).isFalse();
        }
    }

    @Test
    void a_terminated_node_may_end_in_its_own_way_and_says_how() {
        try (NodeProcess node = node("trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.05; done")) {
            node.start();
            await().until(() -> node.logTail(1).equals("up"));
            assertThat(node.terminate(Duration.ofSeconds(5))).isEqualTo(7);
            assertThat(node.logTail(1)).isEqualTo("bye");
        }
    }

    @Test
    void a_node_that_ignores_sigterm_is_reported() {
        try (NodeProcess node = node("trap '' TERM; echo up; while :; do sleep 0.05; done")) {
            node.start();
            await().until(() -> node.logTail(1).equals("up"));
            assertThatThrownBy(() -> node.terminate(Duration.ofMillis(200))).hasMessageContaining("SIGTERM");
        }
    }

    @Test
    void free_ports_differ_and_lie_below_those_of_outgoing_connections() {
        List<Integer> ports = Ports.free(50);
        assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port < 32_768);
    }

    @Test
    void no_process_outlives_a_test_jvm_that_is_killed() throws IOException, InterruptedException {
        JavaCommand withTests =
                new JavaCommand(JavaCommand.likeThisJvm().java(), List.of(), System.getProperty("java.class.path"));
        Process jvm = new ProcessBuilder(withTests.running(SurvivorMain.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = jvm.inputReader()) {
            ProcessHandle child =
                    ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
            assertThat(child.isAlive()).isTrue();
            jvm.destroyForcibly().waitFor();
            await().atMost(Duration.ofSeconds(10)).until(() -> !child.isAlive());
        } finally {
            jvm.destroyForcibly();
        }
    }

    private NodeProcess node(String script) {
        return new NodeProcess(new NodeAddress("n1", 1, 2), folder, List.of("sh", "-c", script), reaper);
    }
}
