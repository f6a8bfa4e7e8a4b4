package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.core.Applied;
import io.holdfast.core.Command;
import io.holdfast.core.LockTable;
import io.holdfast.statemachine.codec.Entry;
import io.holdfast.statemachine.codec.EntryCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** A replica fed by hand. */
class LockStateMachineTest {
    private final Recorder recorder = new Recorder();
    private final LockStateMachine machine = new LockStateMachine(recorder, recorder);

    @Test
    void the_same_log_gives_the_same_digest() {
        LockStateMachine other = new LockStateMachine(new Recorder(), recorder);
        for (int i = 1; i <= 50; i++) {
            byte[] bytes = entry(i, acquire("lock-" + i % 7, "owner-" + i % 3));
            apply(machine, 2L * i, bytes); // with gaps: configurations have indexes too
            apply(other, 2L * i, bytes);
        }

        assertThat(machine.read(LockTable::digest)).isEqualTo(other.read(LockTable::digest));
        assertThat(machine.getLastAppliedTermIndex()).isEqualTo(TermIndex.valueOf(3, 100));
        assertThat(recorder.indexes()).hasSize(50).isSorted();
    }

    @Test
    void a_damaged_entry_stops_the_replica_and_names_the_index() {
        apply(machine, 4, entry(1));
        byte[] damaged = entry(2, acquire("a", "x"));
        damaged[damaged.length - 1] ^= 1;

        assertThatThrownBy(() -> apply(machine, 5, damaged)).hasMessageContaining("entry 5 cannot be applied");

        assertStopped("Log entry 5 cannot be applied: checksum");
        assertThatThrownBy(() -> apply(machine, 6, entry(3))).hasMessageContaining("stopped before");
        assertThat(machine.getLastAppliedTermIndex().getIndex()).isEqualTo(4);
        assertThat(recorder.indexes()).containsExactly(4L);
    }

    @Test
    void an_entry_of_a_newer_format_stops_the_replica() {
        // What EntryCodec would write if its format were 3 and an entry "x" in that.
        byte[] newer = HexFormat.of().parseHex("08031503ca00f61a0178");

        assertThatThrownBy(() -> apply(machine, 1, newer)).hasMessageContaining("entry 1 cannot be applied");

        assertStopped("Log entry 1 cannot be applied: written in log format 3");
    }

    @Test
    void a_bug_of_a_listener_stops_the_replica() {
        LockStateMachine buggy = new LockStateMachine(
                new ReplicaListener() {
                    @Override
                    public void onApplied(Entry entry, Applied applied, LockTable table) {
                        throw new UnsupportedOperationException("a bug");
                    }

                    @Override
                    public void onLeaderReady(long term, LockTable table) {}

                    @Override
                    public void onNotLeader() {}
                },
                recorder);

        assertThatThrownBy(() -> apply(buggy, 1, entry(1))).hasMessageContaining("a bug");

        assertStopped("Log entry 1 cannot be applied: java.lang.UnsupportedOperationException: a bug");
    }

    @Test
    void an_index_that_does_not_grow_stops_the_replica() {
        apply(machine, 5, entry(1));

        assertThatThrownBy(() -> apply(machine, 5, entry(2))).hasMessageContaining("cannot be applied");

        assertStopped("Log entry 5 cannot be applied");
    }

    @Test
    void a_close_that_nobody_asked_for_is_fatal_and_told_once() {
        machine.notifyLogFailed(new IOException("No space left on device"), null);
        machine.close();
        machine.close();

        assertStopped("The log cannot be written: No space left on device");
    }

    private void assertStopped(String reason) {
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() ->
                        assertThat(recorder.fatal).singleElement().asString().startsWith(reason));
    }

    private static byte[] entry(long number, Command... commands) {
        return EntryCodec.encode(new Entry(number, number * 1_000_000, List.of(commands)));
    }

    private static void apply(LockStateMachine to, long index, byte[] bytes) {
        LogEntryProto logged = LogEntryProto.newBuilder()
                .setTerm(3)
                .setIndex(index)
                .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(bytes)))
                .build();
        var unused = to.applyTransaction(TransactionContext.newBuilder()
                        .setServerRole(RaftPeerRole.FOLLOWER)
                        .setStateMachine(to)
                        .setLogEntry(logged)
                        .build())
                .join();
    }
}
