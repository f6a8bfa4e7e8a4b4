package io.holdfast.server.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.server.config.ServerConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a process with a node in it ends. */
class NodeProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<Integer> halts = new CopyOnWriteArrayList<>();
    private final NodeProcess process = new NodeProcess(new PrintStream(err, true, UTF_8), halts::add);
    private final CompletableFuture<Consumer<String>> signals = new CompletableFuture<>();

    @TempDir
    Path root;

    @Test
    void a_signal_stops_the_node_and_is_a_good_end() throws Exception {
        ServerConfig config = TestNode.config(root, "n1", root.resolve("data"));
        CompletableFuture<Integer> exit = run(config.file(), false);
        await().atMost(PATIENCE).until(() -> isListening(config));
        long told = System.nanoTime();

        signals.get().accept("TERM");

        assertThat(exit).succeedsWithin(PATIENCE).isEqualTo(0);
        assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(Duration.ofSeconds(5));
        assertThat(isListening(config)).isFalse();
        assertThat(halts).isEmpty();
        DataFolder.open(config).close(); // it has let go of it
    }

    @Test
    void a_second_signal_ends_the_process_at_once() throws Exception {
        CompletableFuture<Integer> exit = run(TestNode.file(root, "n1", root.resolve("data")), false);
        Consumer<String> signal = signals.get();

        signal.accept("TERM");
        assertThat(halts).isEmpty();
        signal.accept("INT");
        signal.accept("TERM");

        assertThat(halts).containsExactly(130, 143);
        assertThat(exit).succeedsWithin(PATIENCE).isEqualTo(0);
    }

    @Test
    void a_node_that_cannot_start_says_why() throws Exception {
        Path file = TestNode.file(root, "n1", root.resolve("data"));
        Files.createDirectory(root.resolve("data"));
        Files.createFile(root.resolve("data").resolve("mine"));

        assertThat(run(file, false)).succeedsWithin(PATIENCE).isEqualTo(2);

        assertThat(err.toString(UTF_8))
                .startsWith("holdfast: " + file + ": data is ")
                .contains("it holds mine");
    }

    @Test
    void a_node_that_rejoins_says_where_its_old_data_is() throws Exception {
        ServerConfig config = TestNode.config(root, "n1", root.resolve("data"));
        DataFolder.open(config).close();
        Files.writeString(config.data().resolve("mark"), "old", UTF_8);

        CompletableFuture<Integer> exit = run(config.file(), true);
        await().atMost(PATIENCE).until(() -> isListening(config));
        signals.get().accept("INT");

        assertThat(exit).succeedsWithin(PATIENCE).isEqualTo(0);
        Path aside;
        try (Stream<Path> files = Files.list(root)) {
            aside = files.filter(it -> String.valueOf(it.getFileName()).startsWith("data.aside-"))
                    .findFirst()
                    .orElseThrow();
        }
        assertThat(aside.resolve("mark")).hasContent("old");
        assertThat(config.data().resolve("mark")).doesNotExist();
        assertThat(err.toString(UTF_8))
                .contains("holdfast: the old data is now in " + aside + "; nothing of it was deleted");
    }

    @Test
    void a_node_may_be_closed_by_two_at_once() throws Exception {
        ServerConfig config = TestNode.config(root, "n1", root.resolve("data"));
        Node node = Node.start(config, reason -> {});

        CompletableFuture<Void> first = CompletableFuture.runAsync(node::close, Thread::startVirtualThread);
        CompletableFuture<Void> second = CompletableFuture.runAsync(node::close, Thread::startVirtualThread);

        // Whichever returns first: the node has stopped by then.
        CompletableFuture.anyOf(first, second).get();
        DataFolder.open(config).close();
        assertThat(CompletableFuture.allOf(first, second)).succeedsWithin(PATIENCE);
    }

    private CompletableFuture<Integer> run(Path file, boolean rejoin) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return process.run(file, rejoin, signals::complete);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task, "node-under-test").start());
    }

    private static boolean isListening(ServerConfig config) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(
                            config.bind().client().host(),
                            config.bind().client().port()),
                    1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
