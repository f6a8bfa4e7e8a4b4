package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.Acquisition;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockRequest;
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
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What watching looks like on the command line: each command a process, on a cluster of one node. */
@Timeout(120)
final class WatchCommandIT {
    private static final int TOKENS_PER_ENTRY = 65_536;

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

    private static HostPort free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new HostPort("127.0.0.1", socket.getLocalPort());
        }
    }

    @Test
    void events_from_an_index_on_are_shown_a_line_each() throws Exception {
        long token = acquireAndRelease("shown/a");
        String from = Long.toString(token / TOKENS_PER_ENTRY);

        CommandLineRun json = watch("watch", "shown/", "--from", from, "--count", "2", "-o", "json");
        assertThat(json.code()).isZero();
        assertThat(json.out().lines())
                .hasSize(2)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("{\"logIndex\":\"" + from + "\",\"number\":")
                                .contains(
                                        "\"event\":\"ACQUIRED\"",
                                        "\"name\":\"shown/a\"",
                                        "\"token\":\"" + token + "\""),
                        line -> assertThat(line).contains("\"event\":\"RELEASED\"", "\"token\":\"" + token + "\""));
        assertThat(watch("watch", "shown/", "--from", from, "--count", "2").out())
                .contains("  acquired shown/a  owner ", "  released shown/a  owner ", "token " + token);
    }

    @Test
    void one_lock_is_watched_by_its_whole_name() throws Exception {
        long first = acquireAndRelease("exact/a");
        acquireAndRelease("exact/ab");
        acquireAndRelease("exact/a");
        CommandLineRun run = watch(
                "watch", "exact/a", "--exact", "--from", first / TOKENS_PER_ENTRY + "", "--count", "4", "-o", "json");
        assertThat(run.out().lines())
                .hasSize(4)
                .allSatisfy(line -> assertThat(line).contains("\"name\":\"exact/a\""));
    }

    @Test
    void an_observer_is_shown_the_present_leader() throws Exception {
        assertThat(watch("observe", "elected", "--count", "1").out()).isEqualTo("elected: nobody leads\n");
        try (HoldfastClient client = HoldfastClient.connect(member.client().toString())) {
            var granted = (Acquisition.Granted) client.acquire(LockRequest.of("elected"));
            assertThat(watch("observe", "elected", "--count", "1", "-o", "json").out())
                    .startsWith("{\"name\":\"elected\",\"vacant\":false,")
                    .contains("\"token\":\"" + granted.grant().token() + "\"");
            client.release(granted.grant());
        }
    }

    @Test
    void a_stale_look_says_where_it_comes_from_and_how_old_it_may_be() throws Exception {
        try (HoldfastClient client = HoldfastClient.connect(member.client().toString())) {
            var granted = (Acquisition.Granted) client.acquire(LockRequest.of("old/a"));
            for (String[] look : new String[][] {{"get", "old/a"}, {"list", "old/"}}) {
                String json = watch(look[0], look[1], "--stale", "-o", "json").out();
                assertThat(json)
                        .startsWith("{\"name\":\"old/a\"")
                        .containsPattern("\"node\":\"n1\",\"appliedIndex\":\"\\d+\",\"ageMs\":\\d+}\n");
                assertThat(watch(look[0], look[1], "--stale").err())
                        .contains("as node n1 saw it at log index ", "out of date by ");
            }
            client.release(granted.grant());
        }
    }

    @Test
    void bad_usage_is_told() throws Exception {
        assertThat(watch("watch", "--exact").code()).isEqualTo(Exit.USAGE.code());
        assertThat(watch("watch", "--from", "-3").code()).isEqualTo(Exit.USAGE.code());
        assertThat(watch("watch", "--help").out()).contains("Examples:");
    }

    private static CommandLineRun watch(String... arguments) throws IOException, InterruptedException {
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--endpoints";
        all[arguments.length + 1] = member.client().toString();
        return CommandLineRun.withoutServer(all);
    }

    private static long acquireAndRelease(String name) throws InterruptedException {
        try (HoldfastClient client = HoldfastClient.connect(member.client().toString())) {
            var granted = (Acquisition.Granted) client.acquire(LockRequest.of(name));
            client.release(granted.grant());
            return granted.grant().token();
        }
    }
}
