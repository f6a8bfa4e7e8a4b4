package io.holdfast.statemachine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Term, vote and members on disk, changed by hand. */
class MetaGuardTest {
    private static final LogCheck.Extent LOG = new LogCheck.Extent(5, 10, 3);
    private static final FileTime NOON = FileTime.fromMillis(1_700_000_000_000L);

    @TempDir
    Path root;

    private GroupFolder folder;
    private MetaGuard guard;
    private long nanos;

    @BeforeEach
    void write() throws IOException {
        folder = new GroupFolder(root);
        Files.createDirectories(folder.current());
        writeMeta(5, "n2");
        writeConfiguration(configuration(7, "n1", "n2", "n3"));
        guard = new MetaGuard(folder, () -> nanos);
    }

    @Test
    void what_was_noted_passes() throws IOException {
        note();

        MetaGuard.check(folder, LOG);
        writeMeta(5, "n2"); // the same, by another time
        Files.setLastModifiedTime(folder.meta(), NOON);
        MetaGuard.check(folder, LOG);
    }

    @Test
    void any_changed_byte_in_a_noted_file_is_damage_if_its_time_is_not() throws IOException {
        note();
        for (Path file : new Path[] {folder.meta(), folder.configuration()}) {
            byte[] whole = Files.readAllBytes(file);
            FileTime time = Files.getLastModifiedTime(file);
            for (int at = 0; at < whole.length; at++) {
                byte[] bytes = whole.clone();
                bytes[at] ^= 1;
                Files.write(file, bytes);
                Files.setLastModifiedTime(file, time);
                refused(file);
            }
            Files.write(file, whole);
            Files.setLastModifiedTime(file, time);
        }
        MetaGuard.check(folder, LOG);
    }

    @Test
    void files_that_ratis_never_writes_are_damage_even_if_nothing_was_noted() throws IOException {
        for (String text : new String[] {
            "term=5\n",
            "term=5\nvotedFor=n2\nterm=5\n",
            "term=05\nvotedFor=n2\n",
            "term=-5\nvotedFor=n2\n",
            "term=5\nvotedFor=n 2\n",
            "term=5\nvotedFor=n2",
            "term=5\nvotedFos=n2\n",
            "Thu Dec 03\nterm=5\nvotedFor=n2\n",
        }) {
            Files.writeString(folder.meta(), text);
            refused(folder.meta()).hasMessageContaining("not a term and a vote");
        }
        writeMeta(5, "");
        MetaGuard.check(folder, LOG);
        Files.writeString(folder.meta(), "#\n#date\nvotedFor=n1\nterm=5\n");
        MetaGuard.check(folder, LOG);
    }

    @Test
    void configurations_that_ratis_never_writes_are_damage_even_if_nothing_was_noted() throws IOException {
        LogEntryProto good = configuration(7, "n1", "n2");
        for (LogEntryProto bad : new LogEntryProto[] {
            LogEntryProto.getDefaultInstance(),
            configuration(7),
            configuration(7, "n1", "n1"),
            configuration(7, "n 1"),
            good.toBuilder().setTerm(-1).build(),
            good.toBuilder().clearConfigurationEntry().build(),
            LogEntryProto.newBuilder()
                    .setTerm(3)
                    .setConfigurationEntry(RaftConfigurationProto.newBuilder()
                            .addPeers(peer("n1").toBuilder().setAddress("nowhere")))
                    .build(),
        }) {
            writeConfiguration(bad);
            refused(folder.configuration());
        }
        byte[] bytes = good.toByteArray();
        Files.write(folder.configuration(), java.util.Arrays.copyOf(bytes, bytes.length - 1));
        refused(folder.configuration());
        Files.write(folder.configuration(), java.util.Arrays.copyOf(bytes, bytes.length + 1));
        refused(folder.configuration());
    }

    @Test
    void a_term_below_that_of_the_log_is_damage() throws IOException {
        writeMeta(2, "n2");

        refused(folder.meta()).hasMessageContaining("term 2, though the log has entries of term 3");
    }

    @Test
    void a_term_only_grows_and_a_vote_stays() throws IOException {
        note();

        writeMeta(4, "n2");
        refused(folder.meta()).hasMessageContaining("was in term 5 before");
        writeMeta(5, "n3");
        refused(folder.meta()).hasMessageContaining("a vote for 'n3' in term 5, in which this node voted for 'n2'");
        writeMeta(5, "");
        refused(folder.meta());
        writeMeta(6, "");
        MetaGuard.check(folder, LOG);
        note();
        writeMeta(6, "n1");
        MetaGuard.check(folder, LOG);
    }

    @Test
    void a_configuration_is_only_replaced_by_a_newer_one() throws IOException {
        note();

        writeConfiguration(configuration(6, "n1"));
        refused(folder.configuration()).hasMessageContaining("entry 6, though this node had that of entry 7");
        Files.delete(folder.configuration());
        refused(folder.configuration()).hasMessageContaining("missing");
        writeConfiguration(configuration(8, "n1"));
        MetaGuard.check(folder, LOG);
    }

    @Test
    void a_missing_file_is_damage() throws IOException {
        Files.delete(folder.meta());

        refused(folder.meta()).hasMessageContaining("missing");
    }

    /** That is what Ratis leaves when the disk is full. */
    @Test
    void of_an_empty_configuration_the_one_before_is_taken_if_the_log_has_what_came_after() throws IOException {
        note();
        byte[] before = Files.readAllBytes(folder.configuration());

        Files.write(folder.configuration(), new byte[0]);
        MetaGuard.check(folder, LOG);
        assertThat(folder.configuration()).hasBinaryContent(before);

        Files.write(folder.configuration(), new byte[0]);
        MetaGuard.check(folder, new LogCheck.Extent(0, 10, 3));
        assertThat(folder.configuration()).doesNotExist();

        Files.write(folder.configuration(), new byte[0]);
        MetaGuard.check(folder, new LogCheck.Extent(8, 10, 3));
        assertThat(folder.configuration()).hasBinaryContent(before);
        Files.write(folder.configuration(), new byte[0]);
        assertThatThrownBy(() -> MetaGuard.check(folder, new LogCheck.Extent(9, 10, 3)))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("empty");
        Files.delete(root.resolve("raft-meta.seal"));
        refused(folder.configuration()).hasMessageContaining("empty");
    }

    /** Nobody knows for whom it voted since it was noted: it must not vote again in such a term. */
    @Test
    void of_an_empty_vote_this_node_takes_a_term_in_which_it_cannot_have_voted() throws IOException {
        note();
        Files.write(folder.meta(), new byte[0]);

        MetaGuard.check(folder, LOG);

        assertThat(RaftMeta.parse(folder.meta(), Files.readAllBytes(folder.meta())))
                .isEqualTo(new RaftMeta(1_000_005, ""));
        Files.write(folder.meta(), new byte[0]);
        Files.delete(root.resolve("raft-meta.seal"));
        refused(folder.meta()).hasMessageContaining("empty");
    }

    /** Two changes may come at what the file system takes for one time. */
    @Test
    void a_file_is_not_noted_before_it_is_at_rest() throws IOException {
        guard.poll();
        writeMeta(6, "n1");
        nanos += 1_000_000_000;
        guard.poll();
        nanos += 99_000_000;
        guard.poll();
        assertThat(MetaSeal.read(root)).isEmpty();

        nanos += 1_000_000;
        guard.poll();

        assertThat(MetaSeal.read(root).orElseThrow().meta()).isEqualTo(new RaftMeta(6, "n1"));
        assertThat(MetaSeal.read(root)
                        .orElseThrow()
                        .configuration()
                        .orElseThrow()
                        .index())
                .isEqualTo(7);
    }

    @Test
    void closing_notes_at_once_and_for_the_last_time() throws IOException {
        Files.delete(folder.configuration());
        guard.close();
        assertThat(MetaSeal.read(root).orElseThrow().configuration()).isEmpty();

        writeMeta(9, "");
        nanos += 1_000_000_000;
        guard.poll();
        nanos += 1_000_000_000;
        guard.poll();

        assertThat(MetaSeal.read(root).orElseThrow().meta().term()).isEqualTo(5);
    }

    @Test
    void a_damaged_note_is_no_note() throws IOException {
        note();
        Path note = root.resolve("raft-meta.seal");
        byte[] whole = Files.readAllBytes(note);
        for (int at = 0; at < whole.length; at++) {
            byte[] bytes = whole.clone();
            bytes[at] ^= 1;
            Files.write(note, bytes);
            assertThat(MetaSeal.read(root))
                    .as(new String(bytes, StandardCharsets.UTF_8))
                    .isEmpty();
            assertThatCode(() -> MetaGuard.check(folder, LOG)).doesNotThrowAnyException();
        }
    }

    @Test
    void there_is_nothing_to_note_before_ratis_has_written() throws IOException {
        Files.delete(folder.meta());

        guard.poll();
        guard.close();

        assertThat(MetaSeal.read(root)).isEmpty();
    }

    private void note() {
        guard.poll();
        nanos += 100_000_000;
        guard.poll();
    }

    private void writeMeta(long term, String votedFor) throws IOException {
        Files.writeString(
                folder.meta(), "#\n#Thu Dec 03 00:00:00 UTC 2026\nterm=" + term + "\nvotedFor=" + votedFor + "\n");
    }

    private void writeConfiguration(LogEntryProto entry) throws IOException {
        Files.write(folder.configuration(), entry.toByteArray());
    }

    private static LogEntryProto configuration(long index, String... ids) {
        RaftConfigurationProto.Builder peers = RaftConfigurationProto.newBuilder();
        for (String id : ids) {
            peers.addPeers(peer(id));
        }
        return LogEntryProto.newBuilder()
                .setTerm(3)
                .setIndex(index)
                .setConfigurationEntry(peers)
                .build();
    }

    private static RaftPeerProto peer(String id) {
        return RaftPeerProto.newBuilder()
                .setId(ByteString.copyFromUtf8(id))
                .setAddress("10.0.0.1:7401")
                .setClientAddress("10.0.0.1:7400")
                .build();
    }

    private AbstractThrowableAssert<?, ?> refused(Path file) {
        return assertThatThrownBy(() -> MetaGuard.check(folder, LOG))
                .isInstanceOfSatisfying(
                        DamagedDataException.class,
                        damage -> assertThat(damage.file()).isEqualTo(file));
    }
}
