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
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Modes, sets, tokens, elections and sessions at the command line, each command a process, on a cluster of one node. */
@Tag("faults")
@Timeout(120)
final class LockModelIT {
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
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(
                                holdfast("cluster", "status", "-o", "json").out())
                        .contains("\"featureLevel\":2"));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void a_lock_is_shared_converted_and_shown() throws Exception {
        assertThat(holdfast("acquire", "cat", "--shared", "--owner", "A", "--ttl", "5m", "--value", "v\u0007")
                        .out())
                .contains("\n  mode       shared\n");
        assertThat(holdfast("acquire", "cat", "--shared", "--owner", "B", "--ttl", "5m", "-o", "json")
                        .out())
                .contains("\"owner\":\"B\"", "\"mode\":\"SHARED\"", "\"value\":\"\"", "\"lockDelayMs\":0");

        assertThat(holdfast("get", "cat").out())
                .startsWith("cat  SHARED\n  held by owner A")
                .contains("\n    value \"v\\u0007\"\n");
        assertThat(holdfast("get", "cat", "-o", "json").out())
                .startsWith("{\"name\":\"cat\",\"mode\":\"SHARED\",\"holders\":[{\"token\":\"")
                .contains("\"holderCount\":2");
        assertThat(holdfast("list", "cat").out())
                .containsPattern("NAME +MODE +TOKEN")
                .containsPattern("cat +shared +\\d+");

        assertThat(holdfast("convert", "cat", "--to", "exclusive", "--owner", "A", "-o", "json"))
                .satisfies(it -> {
                    assertThat(it.code()).isEqualTo(1);
                    assertThat(it.err()).contains("\"error\":\"NOT_ALONE\"", "cat is shared by 2;");
                });
        assertThat(holdfast("release", "cat", "--owner", "B").code()).isZero();
        assertThat(holdfast("convert", "cat", "--to", "exclusive", "--owner", "A", "-o", "json")
                        .out())
                .contains("\"mode\":\"EXCLUSIVE\"", "\"value\":\"v\\u0007\"");
    }

    @Test
    void permits_of_a_semaphore_are_taken_and_given_back_in_part() throws Exception {
        String[] three = {"acquire", "gpu", "--permits", "3", "--capacity", "4", "--owner", "A", "--ttl", "5m"};
        assertThat(holdfast(three).out()).contains("\n  mode       3 of 4 permits\n");
        assertThat(holdfast("acquire", "gpu", "--permits", "2", "--capacity", "4"))
                .satisfies(it -> assertThat(it.code()).isEqualTo(1))
                .satisfies(it -> assertThat(it.err()).startsWith("holdfast: gpu is held: owner A"));
        assertThat(holdfast("acquire", "gpu", "--capacity", "5", "-o", "json"))
                .satisfies(it -> assertThat(it.code()).isEqualTo(1))
                .satisfies(it ->
                        assertThat(it.err()).contains("\"error\":\"OTHER_KIND\"", "gpu is a semaphore of 4 permits"));

        assertThat(holdfast("release", "gpu", "--owner", "A", "--permits", "2").out())
                .startsWith("gpu gave back 2 permits and holds 1 (token ");
        assertThat(holdfast("get", "gpu", "-o", "json").out())
                .contains("\"mode\":\"SEMAPHORE\"", "\"permits\":1", "\"capacity\":4,\"permitsOut\":1");
        assertThat(holdfast("release", "gpu", "--owner", "A", "--permits", "2").err())
                .isEqualTo("holdfast: gpu is held with 1 permits only\n");
    }

    @Test
    void what_does_not_go_together_is_refused_by_field() throws Exception {
        assertThat(holdfast("acquire", "x", "--permits", "2").err())
                .isEqualTo("holdfast: --capacity is missing; it goes with --permits\n");
        assertThat(holdfast("acquire", "x", "--shared", "--capacity", "2").code())
                .isEqualTo(2);
        assertThat(holdfast("acquire", "x", "--permits", "3", "--capacity", "2", "-o", "json"))
                .satisfies(it -> assertThat(it.code()).isEqualTo(2))
                .satisfies(it -> assertThat(it.err())
                        .contains("terms.permits is 3; it must be 1 to the capacity, 2")
                        .contains("\"field\":\"terms.permits\""));
        assertThat(holdfast("lock-all", "x").code()).isEqualTo(2);
        assertThat(holdfast("lock-all", "x", "x").err()).contains("wants[1].name is \"x\" once more");
        assertThat(holdfast("elect", "x").code()).isEqualTo(2);
    }

    @Test
    void several_locks_are_obtained_as_one_or_not_at_all() throws Exception {
        CommandLineRun all = holdfast("lock-all", "acc/2", "acc/1", "--owner", "T", "--ttl", "5m", "-o", "json");
        assertThat(all.out())
                .startsWith("{\"names\":[\"acc/1\",\"acc/2\"],\"token\":\"")
                .contains("\"owner\":\"T\"");
        assertThat(holdfast("lock-all", "acc/2", "acc/3")).satisfies(it -> {
            assertThat(it.code()).isEqualTo(1);
            assertThat(it.err()).startsWith("holdfast: acc/2, acc/3 is held: owner T");
        });
        assertThat(holdfast("get", "acc/3").code()).isEqualTo(1);

        String token = group("\"token\":\"(\\d+)\"", all.out());
        assertThat(holdfast("check", "acc/1", token).out()).startsWith("CURRENT  owner T");
        assertThat(holdfast("release", "acc/1", "acc/2", "--owner", "T").out())
                .isEqualTo("acc/1, acc/2 released (token " + token + ")\n");
        assertThat(holdfast("check", "acc/1", token)).isEqualTo(new CommandLineRun(1, "FREE  nobody holds it\n", ""));
        var unused = holdfast("acquire", "acc/1", "--ttl", "5m");
        assertThat(holdfast("check", "acc/1", token, "-o", "json"))
                .satisfies(it -> assertThat(it.code()).isEqualTo(1))
                .satisfies(it -> assertThat(it.out()).contains("\"result\":\"STALE\",\"newestToken\":\""));
    }

    @Test
    void a_leader_publishes_its_value_while_its_command_runs_and_resigns_then() throws Exception {
        Path seen = folder.resolve("seen");
        assertThat(holdfast(
                                "elect",
                                "boss",
                                "--value",
                                "http://me:1",
                                "--",
                                "sh",
                                "-c",
                                "echo $HOLDFAST_TOKEN > " + seen + "; exit 7")
                        .code())
                .isEqualTo(7);
        assertThat(Files.readString(seen)).matches("\\d+\n");
        assertThat(holdfast("get", "boss").err()).isEqualTo("holdfast: boss is free\n");

        var held = holdfast("acquire", "boss", "--owner", "A", "--value", "one", "--ttl", "5m");
        assertThat(held.code()).isZero();
        assertThat(holdfast("proclaim", "boss", "--owner", "A", "--value", "two", "-o", "json")
                        .out())
                .contains("\"value\":\"two\"");
        assertThat(holdfast("get", "boss").out()).contains("\n    value \"two\"");
        assertThat(holdfast("elect", "boss", "--value", "three", "--wait", "0").code())
                .isEqualTo(1);
        assertThat(holdfast("proclaim", "boss", "--owner", "B", "--value", "x").code())
                .isEqualTo(1);
    }

    @Test
    void a_lock_is_passed_on_and_revoked_only_when_confirmed() throws Exception {
        var held = holdfast("acquire", "ho", "--owner", "A", "--ttl", "5m");
        assertThat(held.code()).isZero();
        CommandLineRun passed = holdfast("handoff", "ho", "--owner", "A", "--to", "B", "--ttl", "5m", "-o", "json");
        assertThat(passed.out()).contains("\"owner\":\"B\"");
        String token = group("\"token\":\"(\\d+)\"", passed.out());
        assertThat(holdfast("handoff", "ho", "--owner", "A", "--to", "C").code())
                .isEqualTo(1);

        String[] revoke = {"revoke", "ho", "--if-token", token, "--reason", "drill", "--by", "ops"};
        assertThat(holdfast(revoke)).satisfies(it -> {
            assertThat(it.code()).isZero();
            assertThat(it.out()).startsWith("ho is held by owner B");
            assertThat(it.err()).startsWith("nothing was done; --yes revokes it");
        });
        List<String> confirmed = new ArrayList<>(List.of(revoke));
        confirmed.add("--yes");
        assertThat(holdfast(confirmed.toArray(String[]::new)).out()).startsWith("ho is revoked; owner B has ");
        assertThat(holdfast("get", "ho").out()).contains("\n  revoked by ops, ends in ", ": drill");
        confirmed.addAll(List.of("--grace", "0s", "-o", "json"));
        assertThat(holdfast(confirmed.toArray(String[]::new)).out()).contains("\"state\":\"REVOKED\"");
        assertThat(holdfast(confirmed.toArray(String[]::new)).code()).isEqualTo(1);
    }

    @Test
    void it_is_told_why_one_waits_and_who_held_before() throws Exception {
        CommandLineRun held = holdfast("acquire", "hist", "--owner", "A", "--ttl", "5m", "-o", "json");
        String index = group("\"logIndex\":\"(\\d+)\"", held.out());
        Process waiting = CommandLineRun.start(
                "acquire", "hist", "--owner", "W", "--wait", "5m", "--ttl", "5m", "--endpoints", endpoint());
        try {
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(
                                    holdfast("why", "hist", "--owner", "W").out())
                            .contains("\n  held by owner A", "\n  waiting 1: W [", ", the one asked about"));
            assertThat(holdfast("why", "hist", "--owner", "W", "-o", "json").out())
                    .startsWith("{\"name\":\"hist\",\"place\":1,\"waiter\":{\"owner\":\"W\"")
                    .contains("\"lock\":{\"name\":\"hist\"");
            assertThat(holdfast("why", "hist", "--owner", "A").code()).isEqualTo(1);
            assertThat(holdfast("release", "hist", "--owner", "A").code()).isZero();
            assertThat(waiting.waitFor()).isZero();
        } finally {
            waiting.destroy();
        }

        assertThat(holdfast("history", "hist", "--at", index).out())
                .startsWith("hist\n  held by owner A [")
                .contains("granted at log index " + index + "; RELEASED ");
        assertThat(holdfast("history", "hist", "--at", "0s", "-o", "json").out())
                .startsWith("{\"name\":\"hist\",\"holds\":[{\"owner\":\"W\"")
                .doesNotContain("ended");
        assertThat(holdfast("history", "hist").out())
                .contains(index + "  acquired hist  owner A [")
                .contains("queued hist  owner W [", "released hist  owner A [", "acquired hist  owner W [");
        assertThat(holdfast("history", "hist", "--last", "1", "-o", "json").out())
                .contains("\"event\":\"ACQUIRED\",\"name\":\"hist\",\"owner\":\"W\"");
        assertThat(holdfast("history", "hist", "--at", "999999999").err())
                .isEqualTo("holdfast: the log has not come to that yet\n");
        assertThat(holdfast("history", "hist", "--at", "yesterday").code()).isEqualTo(2);
    }

    @Test
    void a_session_is_opened_shown_and_closed_with_all_it_holds() throws Exception {
        String id = holdfast("session", "open", "--ttl", "5m", "--label", "job-7")
                .out()
                .strip();
        assertThat(holdfast("acquire", "s/1", "--session", id, "--shared").out())
                .contains("\n  session    " + id + "\n");

        assertThat(holdfast("session", "show", id).out())
                .startsWith("session " + id + "\n  handle     ")
                .contains("\n  label      job-7\n", "\n  holds      1\n")
                .contains("\n  holds s/1, shared (token ");
        assertThat(holdfast("session", "list").out())
                .startsWith("SESSION ")
                .containsPattern(id + " +[0-9a-f]{16} +5m 0s +4m \\d+s +1 +0 +job-7");
        assertThat(holdfast("session", "list", "-o", "json").out()).contains("{\"session\":\"" + id + "\",");
        assertThat(holdfast("session", "show", id, "-o", "json").out())
                .startsWith("{\"session\":\"" + id + "\",\"handle\":\"");
        assertThat(holdfast("renew", "--session", id).code()).isZero();
        assertThat(holdfast("acquire", "s/1", "--session", id, "-o", "json").err())
                .contains("\"error\":\"OTHER_MODE\"");
        assertThat(holdfast("session", "close", id).code()).isZero();
        assertThat(holdfast("get", "s/1").code()).isEqualTo(1);
        assertThat(holdfast("session", "show", id, "-o", "json"))
                .satisfies(it -> assertThat(it.code()).isEqualTo(1))
                .satisfies(it -> assertThat(it.err()).contains("\"error\":\"NO_SUCH_SESSION\""));
    }

    private static String group(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    private static CommandLineRun holdfast(String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(arguments));
        // Before a command of its own, which would get it otherwise.
        int end = line.contains("--") ? line.indexOf("--") : line.size();
        line.addAll(end, List.of("--endpoints", endpoint()));
        return CommandLineRun.of(line.toArray(String[]::new));
    }

    private static String endpoint() {
        return member.client().toString();
    }

    private static HostPort free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new HostPort("127.0.0.1", socket.getLocalPort());
        }
    }
}
