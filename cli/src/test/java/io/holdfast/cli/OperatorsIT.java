package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.server.config.ConfigFile;
import io.holdfast.server.config.ConfigText;
import io.holdfast.server.config.HostPort;
import io.holdfast.server.config.MemberConfig;
import io.holdfast.server.node.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operators' commands, each a process, on a cluster of one node. */
@Tag("faults")
@Timeout(120)
final class OperatorsIT {
    @TempDir
    private static Path folder;

    private static MemberConfig member;
    private static Node node;

    @BeforeAll
    static void start() throws Exception {
        member = new MemberConfig("n1", free(), free());
        Path file = Files.writeString(
                folder.resolve("n1.yaml"), ConfigText.of("test", "n1", folder.resolve("n1"), List.of(member)));
        node = Node.start(ConfigFile.load(file), reason -> {});
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void members_are_listed_with_their_leader() throws Exception {
        CommandLineRun text = holdfast("cluster", "members");
        CommandLineRun json = holdfast("cluster", "members", "-o", "json");

        assertThat(text.code()).isZero();
        assertThat(text.out())
                .matches(
                        "NODE +CLIENT +RAFT *\nn1 +" + member.client() + " +" + member.raft() + " +leads, term \\d+\n");
        assertThat(json.out())
                .matches("\\{\"leader\":\"n1\",\"term\":\"\\d+\",\"members\":\\[\\{\"id\":\"n1\",\"endpoint\":\""
                        + member.client() + "\",\"raftAddress\":\"" + member.raft() + "\"}]}\n");
    }

    @Test
    void everyday_commands_run_without_the_server_s_classes() throws Exception {
        String at = member.client().toString();

        assertThat(CommandLineRun.withoutServer("acquire", "everyday", "--ttl", "10m", "--endpoints", at))
                .satisfies(it -> assertThat(it.err()).isEmpty())
                .satisfies(it -> assertThat(it.code()).isZero());
        assertThat(CommandLineRun.withoutServer("cluster", "members", "--endpoints", at)
                        .code())
                .isZero();
        assertThat(CommandLineRun.withoutServer("snapshot", "--endpoints", at).code())
                .isZero();
        assertThat(CommandLineRun.withoutServer("--help").code()).isZero();
    }

    @Test
    void a_new_cluster_soon_has_the_newest_feature_level() throws Exception {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(
                                holdfast("cluster", "status", "-o", "json").out())
                        .contains("\"featureLevel\":2,\"featureLevelKnown\":2}"));
    }

    @Test
    void nobody_else_can_lead_a_cluster_of_one() throws Exception {
        assertThat(holdfast("cluster", "transfer-leader", "n1")).isEqualTo(new CommandLineRun(0, "n1 leads\n", ""));
        assertThat(holdfast("cluster", "transfer-leader"))
                .isEqualTo(new CommandLineRun(1, "", "holdfast: n1 is the only member: nobody else can lead\n"));
        assertThat(holdfast("cluster", "transfer-leader", "n9", "-o", "json"))
                .isEqualTo(new CommandLineRun(
                        1,
                        "",
                        "{\"error\":\"NO_SUCH_MEMBER\",\"message\":\"no member has the id n9\",\"field\":\"\"}\n"));
    }

    @Test
    void a_member_that_cannot_be_is_refused_by_field_value_and_limit() throws Exception {
        assertThat(holdfast("cluster", "add", "n 4", "--client", "h:1", "--raft", "h:2", "-o", "json")
                        .err())
                .contains("\"error\":\"INVALID_ARGUMENT\"")
                .contains("node_id is \\\"n 4\\\"; it must be 1 to 64 letters, digits,")
                .contains("\"field\":\"node_id\"");
        assertThat(holdfast("cluster", "add", "n4", "--client", "h", "--raft", "h:2"))
                .satisfies(it -> {
                    assertThat(it.code()).isEqualTo(2);
                    assertThat(it.err()).startsWith("holdfast: endpoint is \"h\"; it must be host:port");
                });
        assertThat(holdfast("cluster", "add", "n4", "--client", "h:1", "--raft", "h:2", "--catch-up", "2h"))
                .isEqualTo(new CommandLineRun(2, "", "holdfast: --catch-up is 7200000ms; it must be 1s to 1h\n"));
        assertThat(holdfast("cluster", "add", "n4", "--client", "h:1").code()).isEqualTo(2);
    }

    @Test
    void a_backup_that_is_none_is_refused_by_name() throws Exception {
        Path none = Files.writeString(folder.resolve("none.zip"), "no zip at all");
        Path missing = folder.resolve("missing.zip");

        assertThat(holdfast("backup", "verify", none.toString(), "-o", "json")).satisfies(it -> {
            assertThat(it.code()).isEqualTo(1);
            assertThat(it.err()).contains("\"error\":\"BACKUP_UNUSABLE\"").contains(none + ": is not a zip file");
        });
        assertThat(holdfast("backup", "verify", missing.toString()))
                .isEqualTo(new CommandLineRun(2, "", "holdfast: " + missing + ": there is no such file\n"));
        assertThat(holdfast("backup").code()).isEqualTo(2);
    }

    @Test
    void a_backup_that_is_sound_is_described() throws Exception {
        TestBackup backup = new TestBackup(Files.createDirectory(folder.resolve("snapshot")));
        Path file = Files.write(folder.resolve("sound.zip"), backup.bytes());

        assertThat(holdfast("backup", "verify", file.toString()).out())
                .startsWith(
                        "backup     " + file + " is whole and sound\nmade at    2026-03-01T12:00:00Z by Holdfast 1.2.3")
                .contains("\nindex      42, term 3\ndigest     " + TestBackup.DIGEST + "\n");
        assertThat(holdfast("backup", "verify", file.toString(), "-o", "json")).satisfies(it -> {
            assertThat(it.code()).isZero();
            assertThat(it.out())
                    .contains("\"cluster\":\"test\",\"term\":\"3\",\"index\":\"42\"")
                    .contains("\"lastToken\":\"2752512\",\"featureLevel\":1,\"digest\":\"0123456789abcdef\"");
        });
    }

    @Test
    void a_snapshot_is_taken_once_for_each_state() throws Exception {
        var unused = holdfast("acquire", "snapshot/1", "--ttl", "10m");

        assertThat(holdfast("snapshot").out()).matches("n1 took a snapshot at index \\d+, term \\d+ \\(.* KiB\\)\n");
        // Leases tick: another state, unless it comes at once.
        assertThat(holdfast("snapshot", "--node", "n1", "-o", "json").out())
                .matches(
                        "\\{\"node\":\"n1\",\"term\":\"\\d+\",\"index\":\"\\d+\",\"taken\":(true|false),\"bytes\":\"\\d+\"}\n");
        assertThat(holdfast("snapshot", "--node", "n9"))
                .isEqualTo(new CommandLineRun(1, "", "holdfast: no member has the id n9\n"));
    }

    @Test
    void a_cluster_is_restored_from_its_backup() throws Exception {
        Path backup = folder.resolve("monday.zip");
        var held = holdfast("acquire", "restored/1", "--ttl", "10m", "--owner", "A");
        assertThat(held.code()).isZero();

        CommandLineRun made = holdfast("backup", backup.toString());
        assertThat(made.out())
                .startsWith("backup     " + backup + "\nmade by    n1 of cluster test\nindex      ")
                .containsPattern(
                        "\ndigest     [0-9a-f]{16}\nsize       \\d+ bytes \\(.* KiB unpacked\\)\nsha256     [0-9a-f]{64}\n");
        assertThat(holdfast("backup", "verify", backup.toString()).out())
                .contains(
                        made.out().lines().filter(it -> it.startsWith("digest")).toList());
        assertThat(holdfast("backup", backup.toString()))
                .isEqualTo(
                        new CommandLineRun(2, "", "holdfast: " + backup + " is there already; --force replaces it\n"));
        long lost = token(holdfast("acquire", "restored/2", "--ttl", "10m"));

        MemberConfig fresh = new MemberConfig("n1", free(), free());
        Path config = Files.writeString(
                folder.resolve("new.yaml"), ConfigText.of("next", "n1", folder.resolve("new"), List.of(fresh)));
        String[] restore = {"restore", backup.toString(), "--config", config.toString()};
        assertThat(CommandLineRun.of(restore)).satisfies(it -> {
            assertThat(it.code()).isEqualTo(2);
            assertThat(it.err()).startsWith("holdfast: nothing was done: ").contains("confirm with --force-new-epoch");
        });
        String[] confirmed = {"restore", backup.toString(), "--config", config.toString(), "--force-new-epoch"};
        assertThat(CommandLineRun.of(confirmed).out())
                .startsWith("restored   n1 of cluster next, in " + folder.resolve("new") + "\nfrom       " + backup)
                .endsWith("\nnext       start the node\n");
        assertThat(CommandLineRun.of(confirmed)).satisfies(it -> {
            assertThat(it.code()).isEqualTo(2);
            assertThat(it.err()).contains("is not empty: it holds identity");
        });

        try (Node restored = Node.start(ConfigFile.load(config), reason -> {})) {
            assertThat(restored).isNotNull();
            String at = fresh.client().toString();
            assertThat(CommandLineRun.of("get", "restored/1", "--endpoints", at).out())
                    .contains("held by owner A")
                    .contains("(token " + token(held) + ")");
            assertThat(token(CommandLineRun.of("acquire", "restored/2", "--endpoints", at)))
                    .isGreaterThan(lost + (1L << 49));
        }
    }

    private static long token(CommandLineRun acquired) {
        return Long.parseLong(acquired.out()
                .lines()
                .filter(it -> it.startsWith("  token"))
                .findFirst()
                .orElseThrow()
                .substring(7)
                .strip());
    }

    private static CommandLineRun holdfast(String... arguments) throws IOException, InterruptedException {
        List<String> line = new java.util.ArrayList<>(List.of(arguments));
        boolean isLocal = line.get(0).equals("backup") && line.contains("verify");
        if (!isLocal) {
            line.add("--endpoints");
            line.add(member.client().toString());
        }
        return CommandLineRun.of(line.toArray(String[]::new));
    }

    private static HostPort free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new HostPort("127.0.0.1", socket.getLocalPort());
        }
    }
}
