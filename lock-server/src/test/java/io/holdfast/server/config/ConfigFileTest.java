package io.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.server.proposer.ProposerConfig;
import io.holdfast.server.watch.WatchConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
    private static final String MINIMAL = """
            cluster: test
            node: n1
            data: data
            members:
              - id: n1
                client: 127.0.0.1:7401
                raft: 127.0.0.1:7411
              - id: n2
                client: 127.0.0.1:7402
                raft: 127.0.0.1:7412
            """;

    @TempDir
    Path folder;

    @Test
    void what_is_not_said_has_its_default() throws Exception {
        ServerConfig config = load(MINIMAL);

        assertThat(config.cluster()).isEqualTo("test");
        assertThat(config.node()).isEqualTo("n1");
        assertThat(config.data()).isEqualTo(folder.resolve("data"));
        assertThat(config.members())
                .containsExactly(
                        new MemberConfig("n1", new HostPort("127.0.0.1", 7401), new HostPort("127.0.0.1", 7411)),
                        new MemberConfig("n2", new HostPort("127.0.0.1", 7402), new HostPort("127.0.0.1", 7412)));
        assertThat(config.bind())
                .isEqualTo(new BindConfig(
                        new HostPort("127.0.0.1", 7401), new HostPort("127.0.0.1", 7411), Optional.empty()));
        assertThat(config.raft()).isEqualTo(new RaftConfig(Duration.ofMillis(500), Duration.ofMillis(750)));
        assertThat(config.proposer())
                .isEqualTo(new ProposerConfig(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(750),
                        2048,
                        256 * 1024,
                        65_536));
        assertThat(config.snapshot()).isEqualTo(new SnapshotConfig(32 * 1024 * 1024, 65_536, 3));
        assertThat(config.disk()).isEqualTo(new DiskConfig(64 * 1024 * 1024));
        assertThat(config.upgrade()).isEqualTo(new UpgradeConfig(2));
        assertThat(config.grpc())
                .isEqualTo(new GrpcConfig(1024 * 1024, 10_000, 10_000, Duration.ofSeconds(2), Duration.ofSeconds(10)));
        assertThat(config.reads()).isEqualTo(new ReadConfig(1_000, 10_000));
        assertThat(config.watch()).isEqualTo(new WatchConfig(1_000, 20_000, 65_536));
    }

    @Test
    void every_key_maps_to_its_field() throws Exception {
        ServerConfig config = load(MINIMAL + """
                bind: {client: "0.0.0.0:8401", raft: "[::1]:8411", metrics: "127.0.0.1:8431"}
                raft: {election-timeout-min: 500ms, election-timeout-max: 1m}
                tick: {max-interval: 3s, max-step: 4s}
                failover: {grace: 0s}
                proposer: {max-entry-commands: 10, max-entry-bytes: 8KiB, max-queued-commands: 100}
                snapshot: {log-bytes: 1GiB, changes: 1_000_000, keep: 16}
                disk: {reserve: 1024GiB}
                upgrade: {max-feature-level: 1}
                grpc:
                  max-request-bytes: 65536B
                  max-connections: 20_000
                  max-calls-per-connection: 30
                  leader-wait: 5s
                  forward-timeout: 7s
                reads: {max-page-size: 7, max-waiters: 8}
                watch: {max-per-connection: 9, max-watchers: 10, buffer-events: 1000}
                """);

        assertThat(config.bind())
                .isEqualTo(new BindConfig(
                        new HostPort("0.0.0.0", 8401),
                        new HostPort("::1", 8411),
                        Optional.of(new HostPort("127.0.0.1", 8431))));
        assertThat(config.raft()).isEqualTo(new RaftConfig(Duration.ofMillis(500), Duration.ofMinutes(1)));
        assertThat(config.proposer())
                .isEqualTo(new ProposerConfig(
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4),
                        Duration.ZERO,
                        Duration.ofMinutes(1),
                        10,
                        8 * 1024,
                        100));
        assertThat(config.snapshot()).isEqualTo(new SnapshotConfig(1 << 30, 1_000_000, 16));
        assertThat(config.disk()).isEqualTo(new DiskConfig(1L << 40));
        assertThat(config.upgrade()).isEqualTo(new UpgradeConfig(1));
        assertThat(config.grpc())
                .isEqualTo(new GrpcConfig(65_536, 20_000, 30, Duration.ofSeconds(5), Duration.ofSeconds(7)));
        assertThat(config.reads()).isEqualTo(new ReadConfig(7, 8));
        assertThat(config.watch()).isEqualTo(new WatchConfig(9, 10, 1_000));
    }

    @Test
    void the_longest_step_of_lease_time_follows_the_interval() throws Exception {
        assertThat(load(MINIMAL + "tick: {max-interval: 4s}\n").proposer().tickMaxStep())
                .isEqualTo(Duration.ofSeconds(8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "node: n1       | node: n9         | 2 | node is \"n9\"; it must be the id of a member: n1, n2",
                "node: n1       | node:            | 2 | node is missing; it must be the id of a member",
                "node: n1       | node: [n1]       | 2 | node is a list; it must be the id of a member",
                "node: n1       | node: a b        | 2 | node is \"a b\"; it must be the id of a member",
                "cluster: test  | cluster: {a: b}  | 1 | cluster is a group of keys; it must be 1 to 64 letters",
                "cluster: test  | clutser: test    | 1 | clutser is not a known key; did you mean cluster?",
                "data: data     | data:            | 3 | data is missing; it must be a folder",
                "data: data     | data: \"a\\0b\"  | 3 | data is ",
                "data: data     | date: data       | 3 | date is not a known key; did you mean data?",
                "- id: n2       | - id: n1         | 8 | members[1].id is n1, and so is members[0].id",
                "- id: n2       | - name: n2       | 8 | members[1].name is not a known key",
                "- id: n2       | - idd: n2        | 8 | members[1].idd is not a known key; did you mean id?",
                "127.0.0.1:7412 | 127.0.0.1:7402   | 10 | members[1].raft is 127.0.0.1:7402, and so is members[1].client",
                "127.0.0.1:7412 | 127.0.0.1        | 10 | members[1].raft is \"127.0.0.1\"; it must be host:port",
                "127.0.0.1:7412 | 127.0.0.1:70000  | 10 | members[1].raft is \"127.0.0.1:70000\"; it must be host:port",
                "127.0.0.1:7412 | ::1:7412         | 10 | members[1].raft is \"::1:7412\"; it must be host:port",
                "127.0.0.1:7412 | :7412            | 10 | members[1].raft is \":7412\"; it must be host:port",
            })
    void a_wrong_value_is_refused_with_key_value_limit_and_line(String right, String wrong, int line, String message)
            throws IOException {
        assertThat(problems(MINIMAL.replace(right, wrong)))
                .anySatisfy(problem -> {
                    assertThat(problem.message()).startsWith(message);
                    assertThat(problem.line()).isEqualTo(line);
                    assertThat(problem.file()).isEqualTo(folder.resolve("holdfast.yaml"));
                })
                .hasSizeLessThanOrEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tick: {max-interval: 99ms}          | tick.max-interval is \"99ms\"; it must be 100ms to 10s",
                "tick: {max-interval: 11s}           | tick.max-interval is \"11s\"; it must be 100ms to 10s",
                "tick: {max-interval: -1s}           | tick.max-interval is \"-1s\"; it must be 100ms to 10s",
                "tick: {max-interval: 1}             | tick.max-interval is \"1\"; it must be 100ms to 10s",
                "tick: {max-interval: 9999999999999h} | tick.max-interval is \"9999999999999h\"; it must be",
                "tick: {max-step: 900ms}             | tick.max-step is \"900ms\"; it must be at least tick.max-interval, which is 1000ms",
                "tick: {max-step: 61s}               | tick.max-step is \"61s\"; it must be 100ms to 60s",
                "tick: 1s                            | tick is \"1s\"; it must be a group of keys",
                "tick: {max-intervall: 1s}           | tick.max-intervall is not a known key; did you mean tick.max-interval?",
                "max-interval: 1s                    | max-interval is not a known key; did you mean tick.max-interval?",
                "tick.max-interval: 1s               | tick.max-interval is not a known key; write max-interval, indented, under tick:",
                "raft: {election-timeout-min: 49ms}  | raft.election-timeout-min is \"49ms\"; it must be 50ms to 30s",
                "raft: {election-timeout-max: 61s}   | raft.election-timeout-max is \"61s\"; it must be 100ms to 60s",
                "raft: {election-timeout-max: 500ms} | raft.election-timeout-max is \"500ms\"; it must be more than raft.election-timeout-min, which is 500ms",
                "raft: {election-timeout-min: 800ms} | raft.election-timeout-max is its default; it must be more than raft.election-timeout-min, which is 800ms",
                "failover: {grace: 61s}              | failover.grace is \"61s\"; it must be 0s to 60s",
                "proposer: {max-entry-commands: 0}   | proposer.max-entry-commands is \"0\"; it must be 1 to 16384",
                "proposer: {max-entry-bytes: 2MiB}   | proposer.max-entry-bytes is \"2MiB\"; it must be 4KiB to 1MiB",
                "proposer: {max-entry-bytes: 4096}   | proposer.max-entry-bytes is \"4096\"; it must be 4KiB to 1MiB",
                "proposer: {max-queued-commands: 63} | proposer.max-queued-commands is \"63\"; it must be 64 to 4194304",
                "snapshot: {log-bytes: 1023KiB}      | snapshot.log-bytes is \"1023KiB\"; it must be 1MiB to 1GiB",
                "snapshot: {log-bytes: 2GiB}         | snapshot.log-bytes is \"2GiB\"; it must be 1MiB to 1GiB",
                "snapshot: {changes: 999}            | snapshot.changes is \"999\"; it must be 1000 to 1000000",
                "snapshot: {changes: 1000001}        | snapshot.changes is \"1000001\"; it must be 1000 to 1000000",
                "snapshot: {keep: 1}                 | snapshot.keep is \"1\"; it must be 2 to 16",
                "snapshot: {keep: 17}                | snapshot.keep is \"17\"; it must be 2 to 16",
                "disk: {reserve: -1B}                | disk.reserve is \"-1B\"; it must be 0B to 1024GiB",
                "disk: {reserve: 1025GiB}            | disk.reserve is \"1025GiB\"; it must be 0B to 1024GiB",
                "disk: {reserve: 9999999999GiB}      | disk.reserve is \"9999999999GiB\"; it must be 0B to 1024GiB",
                "grpc: {max-request-bytes: 3MiB}     | grpc.max-request-bytes is \"3MiB\"; it must be 16KiB to 2MiB",
                "grpc: {max-connections: lots}       | grpc.max-connections is \"lots\"; it must be 1 to 1000000",
                "grpc: {max-calls-per-connection: 0} | grpc.max-calls-per-connection is \"0\"; it must be 1 to 1000000",
                "grpc: {leader-wait: 31s}            | grpc.leader-wait is \"31s\"; it must be 0s to 30s",
                "grpc: {forward-timeout: 31s}        | grpc.forward-timeout is \"31s\"; it must be 100ms to 30s",
                "reads: {max-page-size: 0}           | reads.max-page-size is \"0\"; it must be 1 to 10000",
                "reads: {max-waiters: 0}             | reads.max-waiters is \"0\"; it must be 1 to 100000",
                "bind: {client: here}                | bind.client is \"here\"; it must be host:port",
                "bind: {raft: '127.0.0.1:7401'}      | bind.raft is \"127.0.0.1:7401\"; it must be another than bind.client",
                "nonsense: 1                         | nonsense is not a known key; config/holdfast.yaml shows all keys",
            })
    void a_value_out_of_range_is_refused_with_its_limit(String line, String message) throws IOException {
        assertThat(problems(MINIMAL + line + "\n"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).startsWith(message));
    }

    @Test
    void all_problems_are_told_at_once_in_the_order_of_the_file() throws IOException {
        String text = MINIMAL.replace("cluster: test", "cluster: '!'").replace("127.0.0.1:7402", "x")
                + "tick: {max-interval: never}\nwhat: ever\n";

        assertThat(problems(text))
                .extracting(Problem::line, Problem::key)
                .containsExactly(
                        tuple(1, "cluster"),
                        tuple(9, "members[1].client"),
                        tuple(11, "tick.max-interval"),
                        tuple(12, "what"));
    }

    @Test
    void a_problem_reads_as_a_compiler_writes_it() throws IOException {
        assertThat(problems(MINIMAL + "what: ever\n"))
                .first()
                .hasToString(folder.resolve("holdfast.yaml")
                        + ":11: what is not a known key; config/holdfast.yaml shows all keys");
    }

    @Test
    void no_members_and_too_many_are_refused() throws IOException {
        String none = MINIMAL.substring(0, MINIMAL.indexOf("members:"));
        StringBuilder many = new StringBuilder(none + "members:\n");
        for (int i = 1; i <= 10; i++) {
            many.append("  - {id: n%d, client: 'h:%d', raft: 'r:%d'}\n".formatted(i, i, i));
        }

        assertThat(messages(none))
                .containsExactly("members is missing; it must be a list of 1 to 9 members, each with id, client, raft");
        assertThat(messages(none + "members: []\n"))
                .anyMatch(it -> it.startsWith("members is a list; it must be a list of 1 to 9 members"));
        assertThat(messages(many.toString()))
                .anyMatch(it -> it.startsWith("members has 10 members; it must be a list of 1 to 9 members"));
    }

    @Test
    void a_file_that_is_no_configuration_is_refused_in_one_line() throws IOException {
        assertThat(problems("")).singleElement().asString().endsWith("holdfast.yaml: the file is empty");
        assertThat(problems("- a\n")).singleElement().asString().endsWith(":1: the file must hold keys with values");
        assertThat(problems("a: [\n")).singleElement().asString().contains("not YAML: ");
        assertThat(problems("node: n1\nnode: n2\n")).singleElement().asString().contains("node");
        assertThat(problems(MINIMAL + "---\na: b\n")).singleElement().asString().contains("one document");
        assertThat(problems("#".repeat(2_000_000))).singleElement().asString().contains("larger than");
        ConfigException absent =
                catchThrowableOfType(ConfigException.class, () -> ConfigFile.load(folder.resolve("absent.yaml")));
        assertThat(absent).hasMessageEndingWith("absent.yaml: there is no such file");
    }

    @Test
    void bytes_that_are_not_utf8_are_refused() throws IOException {
        Path file = folder.resolve("holdfast.yaml");
        Files.write(file, new byte[] {'a', ':', ' ', (byte) 0xff});

        assertThat(catchThrowableOfType(ConfigException.class, () -> ConfigFile.load(file)))
                .hasMessageContaining("UTF-8");
    }

    @Test
    void what_is_written_for_a_node_is_read_again() throws Exception {
        List<MemberConfig> members = List.of(
                new MemberConfig("n1", new HostPort("127.0.0.1", 7401), new HostPort("127.0.0.1", 7411)),
                new MemberConfig("n2", new HostPort("::1", 7402), new HostPort("::1", 7412)));

        ServerConfig config = load(ConfigText.of("test", "n2", Path.of("/it's a 'b': #c"), members));

        assertThat(config.cluster()).isEqualTo("test");
        assertThat(config.node()).isEqualTo("n2");
        assertThat(config.data()).isEqualTo(Path.of("/it's a 'b': #c"));
        assertThat(config.members()).isEqualTo(members);
    }

    private ServerConfig load(String text) throws IOException, ConfigException {
        return ConfigFile.load(write(text));
    }

    private List<String> messages(String text) throws IOException {
        return problems(text).stream().map(Problem::message).toList();
    }

    private List<Problem> problems(String text) throws IOException {
        Path file = write(text);
        return catchThrowableOfType(ConfigException.class, () -> ConfigFile.load(file))
                .problems();
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("holdfast.yaml"), text, StandardCharsets.UTF_8);
    }
}
