package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.statemachine.ratis.Replicas.Replica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetaLagTest {
    @TempDir
    Path root;

    private long nanos = 7;

    @Test
    void a_term_that_is_not_written_for_seconds_is_told() {
        MetaLag lag = new MetaLag(new GroupFolder(root), () -> nanos);

        assertThat(lag.poll(5, 5, -1, 0)).isNotPresent();
        assertThat(lag.poll(6, 5, -1, 0)).isEmpty();
        nanos += 2_999_999_999L;
        assertThat(lag.poll(7, 5, -1, 0)).isEmpty();
        nanos += 1;
        assertThat(lag.poll(8, 5, -1, 0).orElseThrow())
                .isEqualTo("The term cannot be written to " + new GroupFolder(root).meta()
                        + ": see Raft's own messages for the cause");
        assertThat(lag.poll(8, 8, -1, 0)).isEmpty();
        nanos += 10_000_000_000L;
        assertThat(lag.poll(9, 8, -1, 0)).isEmpty();
    }

    @Test
    void a_configuration_that_is_not_written_for_seconds_is_told() throws IOException {
        GroupFolder folder = new GroupFolder(root);
        Files.createDirectories(folder.current());
        MetaLag lag = new MetaLag(folder, () -> nanos);
        write(folder, 3);

        assertThat(lag.poll(5, 5, 3, 9)).isEmpty();
        assertThat(lag.poll(5, 5, 10, 9)).isEmpty(); // not applied yet
        assertThat(lag.poll(5, 5, 10, 10)).isEmpty();
        nanos += 3_000_000_000L;
        assertThat(lag.poll(5, 5, 10, 10).orElseThrow()).contains("The configuration", "raft-meta.conf");
        write(folder, 10);
        assertThat(lag.poll(5, 5, 10, 10)).isEmpty();
    }

    private static void write(GroupFolder folder, long index) throws IOException {
        LogEntryProto entry = LogEntryProto.newBuilder()
                .setTerm(1)
                .setIndex(index)
                .setConfigurationEntry(RaftConfigurationProto.newBuilder()
                        .addPeers(RaftPeerProto.newBuilder()
                                .setId(ByteString.copyFromUtf8("n1"))
                                .setAddress("a:1")
                                .setClientAddress("a:2")))
                .build();
        Files.write(folder.configuration(), entry.toByteArray());
    }

    /** Ratis itself would only log that, and never stand for election again. */
    @Test
    void a_node_that_cannot_write_its_term_stops() throws IOException {
        try (Replicas replicas = Replicas.start(root, 3)) {
            Replica leader = replicas.leader();
            Replica poor = replicas.followers().get(0);
            Replica heir = replicas.followers().get(1);
            Path meta = GroupFolder.of(replicas.config(poor.id())).meta();
            Files.createDirectory(meta.resolveSibling("raft-meta.tmp")); // where Ratis writes a new one
            assertThat(leader.node().transferLeadership(heir.id(), PATIENCE)).isTrue();

            await().atMost(PATIENCE).until(() -> {
                poor.node().poll();
                return !poor.recorder().fatal.isEmpty();
            });

            assertThat(poor.recorder().fatal).singleElement().asString().contains("cannot be written to " + meta);
        }
    }
}
