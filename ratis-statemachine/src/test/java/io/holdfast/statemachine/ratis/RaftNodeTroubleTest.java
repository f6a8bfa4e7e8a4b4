package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.PATIENCE;
import static io.holdfast.statemachine.ratis.Replicas.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.statemachine.codec.Entry;
import io.holdfast.statemachine.ratis.Replicas.Replica;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong around a node, and what it says. */
class RaftNodeTroubleTest {
    @TempDir
    Path folder;

    private final List<Replicas> clusters = new ArrayList<>();

    @AfterEach
    void stop() {
        clusters.forEach(Replicas::close);
    }

    @Test
    void a_port_that_is_taken_is_named() throws IOException {
        Replicas replicas = cluster(1);
        RaftNodeConfig config = replicas.config("n1");
        try (ServerSocket taken = new ServerSocket(config.bindPort(), 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> replicas.start("n1"))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("in use");
        }

        replicas.start("n1");
        replicas.commit(acquire("a", "x"));
    }

    /** Ratis would end the process then: this one, with all its tests. */
    @Test
    void a_port_that_is_taken_at_the_last_moment_is_named() throws IOException {
        RaftNodeConfig config = Replicas.config("test", "n1", Replicas.members(1), folder.resolve("n1"));
        Files.createDirectories(RaftSettings.storage(config));
        Recorder recorder = new Recorder();
        try (ServerSocket taken = new ServerSocket(config.bindPort(), 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> RaftNode.startUnchecked(
                            config, new LockStateMachine(recorder, recorder), RaftSettings.group(config)))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void a_folder_that_another_process_uses_or_that_is_no_folder_is_named() throws IOException {
        Replicas replicas = cluster(1);
        replicas.startAll();
        RaftNodeConfig used = replicas.config("n1");
        Path file = Files.writeString(folder.resolve("file"), "not a folder");

        assertThatThrownBy(() -> start(Replicas.config("test", "n1", Replicas.members(1), used.folder())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(used.folder().toString())
                .hasMessageContaining("lock");
        assertThatThrownBy(() -> start(Replicas.config("test", "n1", Replicas.members(1), file)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
        replicas.commit(acquire("a", "x"));
    }

    @Test
    void a_folder_of_another_cluster_is_refused() throws IOException {
        Replicas replicas = cluster(1);
        replicas.startAll();
        RaftNodeConfig config = replicas.config("n1");
        replicas.stopAll();

        assertThatThrownBy(() -> start(Replicas.config("other", "n1", config.members(), config.folder())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(config.folder().toString())
                .hasMessageContaining("another cluster than other");
    }

    @Test
    void an_entry_that_cannot_be_applied_stops_the_nodes_and_is_never_skipped() throws Exception {
        Replicas replicas = cluster(3);
        replicas.startAll();
        replicas.commit(acquire("a", "x"));
        replicas.agreement();
        long poison = replicas.leader().appliedIndex() + 1;

        var unused = replicas.leader().node().append("not an entry".getBytes(StandardCharsets.UTF_8));
        assertStopsAt(poison, replicas.all());

        // A restart finds it again.
        replicas.stopAll();
        replicas.startAll();
        assertStopsAt(poison, replicas.all());
    }

    /** The leader stops when it applies the entry, and so does the next; the third may wait for a majority then. */
    private static void assertStopsAt(long poison, List<Replica> all) {
        await().atMost(PATIENCE)
                .until(() -> all.stream()
                                .filter(replica -> !replica.recorder().fatal.isEmpty())
                                .count()
                        >= 2);
        assertThat(all).allSatisfy(replica -> {
            assertThat(replica.appliedIndex()).isLessThan(poison);
            assertThat(replica.recorder().fatal)
                    .hasSizeLessThan(2)
                    .allSatisfy(reason ->
                            assertThat(reason).startsWith("Log entry " + poison + " cannot be applied: not an entry"));
        });
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(all)
                        .filteredOn(replica -> !replica.recorder().fatal.isEmpty())
                        .allSatisfy(stopped -> {
                            assertThatThrownBy(() -> stopped.node().status()).isInstanceOf(IOException.class);
                            assertThat(stopped.appliedIndex()).isEqualTo(poison - 1);
                            assertThat(stopped.recorder().leads()).isFalse();
                        }));
    }

    @Test
    void a_write_from_outside_to_the_raft_port_is_refused() throws Exception {
        Replicas replicas = cluster(1);
        replicas.startAll();
        replicas.leader();
        RaftNodeConfig config = replicas.config("n1");
        RaftPeer victim = RaftPeer.newBuilder()
                .setId("n1")
                .setAddress(config.members().get(0).raftAddress())
                .build();

        try (RaftClient intruder = RaftClient.newBuilder()
                .setRaftGroup(RaftGroup.valueOf(RaftSettings.groupId(config), victim))
                .setLeaderId(RaftPeerId.valueOf("n1"))
                .setProperties(new RaftProperties())
                .build()) {
            CompletableFuture<RaftClientReply> reply = intruder.async().send(Message.valueOf("not an entry"));

            assertThatThrownBy(() -> reply.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .hasCauseInstanceOf(StateMachineException.class)
                    .hasMessageContaining("takes no entries from outside");
        }
        replicas.commit(acquire("a", "x"));
        assertThat(replicas.get("n1").recorder().entries).hasSize(1);
    }

    @Test
    void an_entry_larger_than_raft_can_carry_is_refused_before_it_does_harm() throws IOException {
        Replicas replicas = cluster(1);
        replicas.startAll();
        Replica node = replicas.leader();

        assertThatThrownBy(() -> node.node().append(new byte[4 << 20])).isInstanceOf(IllegalArgumentException.class);

        replicas.commit(acquire("a", "x"));
    }

    @Test
    void a_closed_node_takes_nothing_and_says_so() throws Exception {
        Replicas replicas = cluster(1);
        replicas.startAll();
        Replica node = replicas.leader();
        replicas.stopAll();

        assertThat(node.node().append(new Entry(1, 1, List.of())).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .isFalse();
        assertThatThrownBy(() -> node.node().status()).isInstanceOf(IOException.class);
        assertThat(node.node().transferLeadership(Duration.ofSeconds(1))).isFalse();
        node.node().close();
        assertThat(node.recorder().fatal).isEmpty();
    }

    private Replicas cluster(int size) {
        Replicas replicas = Replicas.of(folder, size);
        clusters.add(replicas);
        return replicas;
    }

    private static RaftNode start(RaftNodeConfig config) throws IOException {
        Recorder recorder = new Recorder();
        return RaftNode.start(config, new LockStateMachine(recorder, recorder));
    }
}
