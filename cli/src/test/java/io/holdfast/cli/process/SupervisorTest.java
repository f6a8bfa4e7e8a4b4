package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.process.Supervisor.OnLost;
import io.holdfast.cli.process.Supervisor.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command under a lease, in real processes. Commands write to files: our own output belongs to the test runner. */
@Timeout(60)
final class SupervisorTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    private final List<String> messages = Collections.synchronizedList(new ArrayList<>());
    private Supervisor supervisor;

    @BeforeEach
    void prepare() throws IOException {
        supervisor = Supervisor.prepare("orders/42", messages::add);
    }

    @AfterEach
    void close() {
        supervisor.close();
    }

    @Test
    void the_exit_code_is_that_of_the_command() throws Exception {
        assertThat(run(LONG, "exit 42")).isEqualTo(new Outcome(42, java.util.Optional.empty()));
    }

    @Test
    void a_command_ended_by_a_signal_tells_which() throws Exception {
        assertThat(run(LONG, "kill -s USR2 $$").exitCode()).isEqualTo(128 + 12);
    }

    @Test
    void the_command_sees_what_it_was_given_and_not_what_was_taken_away() throws Exception {
        run(new TestLease(LONG), Map.of("HOLDFAST_TOKEN", "65536", "PATH", ""), "/usr/bin/env > $0; ", OnLost.KILL);

        assertThat(Files.readAllLines(file("out")))
                .contains("HOLDFAST_TOKEN=65536")
                .noneMatch(it -> it.startsWith("PATH="));
    }

    @Test
    void arguments_arrive_as_they_are() throws Exception {
        Outcome outcome = supervisor.run(
                new TestLease(LONG),
                new Supervisor.Order(
                        List.of(
                                "sh",
                                "-c",
                                "printf '%s|' \"$@\" > " + file("out"),
                                "sh",
                                "a b",
                                "",
                                "$HOME",
                                "--",
                                "ü\n*",
                                "@x"),
                        Map.of(),
                        OnLost.KILL,
                        Duration.ZERO));

        assertThat(outcome.exitCode()).isZero();
        assertThat(Files.readString(file("out"))).isEqualTo("a b||$HOME|--|ü\n*|@x|");
    }

    @Test
    void the_command_has_a_session_and_a_group_of_its_own() throws Exception {
        run(LONG, "read -r stat < /proc/$$/stat; echo $$ ${stat##*)} > $0");

        List<String> fields =
                Arrays.asList(Files.readString(file("out")).strip().split(" ", -1));
        assertThat(fields.get(3)).as("group").isEqualTo(fields.get(0));
        assertThat(fields.get(4)).as("session").isEqualTo(fields.get(0));
    }

    @Test
    void signals_are_passed_on() throws Exception {
        CompletableFuture<Outcome> outcome =
                inBackground(new TestLease(LONG), "trap 'exit 7' USR1; echo $$ > $0; while :; do sleep 0.01; done");
        awaitPid();

        supervisor.signalled("USR1");

        assertThat(outcome.get(10, TimeUnit.SECONDS).exitCode()).isEqualTo(7);
    }

    @Test
    void a_signal_that_came_before_the_start_keeps_the_command_from_starting() throws Exception {
        supervisor.signalled("TERM");

        assertThat(run(LONG, "echo started > $0").exitCode()).isEqualTo(143);
        assertThat(file("out")).doesNotExist();
    }

    @Test
    void a_command_whose_lease_is_renewed_runs_for_longer_than_its_ttl() throws Exception {
        TestLease lease = new TestLease(Duration.ofMillis(600));
        CompletableFuture<Outcome> outcome = inBackground(lease, "echo $$ > $0; sleep 2");
        long pid = awaitPid();
        while (Proc.isAlive(pid)) {
            lease.renew();
            supervisor.renewed();
            TimeUnit.MILLISECONDS.sleep(50);
        }

        assertThat(outcome.get(10, TimeUnit.SECONDS)).isEqualTo(new Outcome(0, java.util.Optional.empty()));
    }

    @Test
    void a_command_whose_lease_is_lost_gets_time_to_stop_by_itself() throws Exception {
        Outcome outcome = run(Duration.ofSeconds(1), "trap 'echo bye > $0; exit 0' TERM; while :; do sleep 0.01; done");

        assertThat(outcome.lost()).isPresent();
        assertThat(Files.readString(file("out"))).isEqualTo("bye\n");
        assertThat(messages).singleElement().asString().contains("lock lost");
    }

    @Test
    void nothing_of_a_stubborn_command_runs_at_the_deadline() throws Exception {
        TestLease lease = new TestLease(Duration.ofSeconds(1));
        Outcome outcome = run(lease, Map.of(), Heartbeat.FAMILY, OnLost.KILL);

        assertThat(outcome.exitCode()).isEqualTo(128 + 9);
        assertThat(outcome.lost()).isPresent();
        Heartbeat.awaitSilence(folder);
        assertThat(Heartbeat.last(folder)).isLessThan(bootDeadline(lease));
    }

    @Test
    void a_lock_that_the_store_says_is_gone_ends_the_command_soon() throws Exception {
        TestLease lease = new TestLease(LONG);
        CompletableFuture<Outcome> outcome =
                inBackground(lease, "trap '' TERM; echo $$ > $0; while :; do sleep 0.01; done");
        awaitPid();

        supervisor.lost("the store says that it is not held any more");

        assertThat(outcome.get(2, TimeUnit.SECONDS).lost()).hasValue("the store says that it is not held any more");
    }

    @Test
    void told_only_to_warn_a_lost_lease_ends_nothing() throws Exception {
        TestLease lease = new TestLease(Duration.ofMillis(300));

        Outcome outcome = run(lease, Map.of(), "sleep 1; exit 5", OnLost.WARN);

        assertThat(outcome).isEqualTo(new Outcome(5, java.util.Optional.empty()));
        assertThat(messages).singleElement().asString().contains("runs on without it");
    }

    @Test
    void what_the_command_leaves_behind_ends_before_the_lock_is_released() throws Exception {
        Outcome outcome = run(LONG, "echo $$ > $0; sleep 100 & timeout 100 sleep 100 & exit 3");

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(Proc.session(awaitPid())).isEmpty();
        assertThat(messages).singleElement().asString().contains("left running");
    }

    @Test
    void a_killed_warden_is_replaced_and_the_command_lives() throws Exception {
        TestLease lease = new TestLease(Duration.ofSeconds(2));
        CompletableFuture<Outcome> outcome =
                inBackground(lease, "trap '' TERM; echo $$ > $0; while :; do sleep 0.01; done");
        long pid = awaitPid();
        long first = warden();

        Proc.signal("KILL", first);

        await().atMost(Duration.ofSeconds(5)).until(() -> messages.toString().contains("taken over"));
        assertThat(Proc.isAlive(pid)).isTrue();
        assertThat(outcome.get(10, TimeUnit.SECONDS).lost()).isPresent();
        assertThat(Proc.session(pid)).isEmpty();
    }

    @Test
    void the_warden_goes_and_leaves_nothing_behind() throws Exception {
        CompletableFuture<Outcome> outcome =
                inBackground(new TestLease(LONG), "echo $$ > $0; read -r line < " + fifo());
        awaitPid();
        long warden = warden();
        Path temporary = Path.of(ProcessHandle.of(warden)
                        .orElseThrow()
                        .info()
                        .arguments()
                        .orElseThrow()[0])
                .getParent();
        assertThat(temporary).exists();

        Files.writeString(fifo(), "on\n");
        outcome.get(10, TimeUnit.SECONDS);
        supervisor.close();

        await().atMost(Duration.ofSeconds(5)).until(() -> !Proc.isAlive(warden));
        assertThat(temporary).doesNotExist();
    }

    private Outcome run(Duration ttl, String script) throws Exception {
        return run(new TestLease(ttl), Map.of(), script, OnLost.KILL);
    }

    private Outcome run(TestLease lease, Map<String, String> environment, String script, OnLost onLost)
            throws IOException, InterruptedException {
        Duration grace = Supervisor.usualGrace(lease.ttl());
        return supervisor.run(
                lease,
                new Supervisor.Order(
                        List.of("/bin/bash", "-c", script, file("out").toString()), environment, onLost, grace));
    }

    private CompletableFuture<Outcome> inBackground(TestLease lease, String script) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return run(lease, Map.of(), script, OnLost.KILL);
                    } catch (IOException | InterruptedException e) {
                        throw new CompletionException(e);
                    }
                },
                Thread::startVirtualThread);
    }

    private long awaitPid() {
        await().atMost(Duration.ofSeconds(10)).until(() -> Files.exists(file("out")) && Files.size(file("out")) > 0);
        try {
            return Long.parseLong(Files.readString(file("out")).strip());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static long warden() {
        return ProcessHandle.current()
                .children()
                .filter(it -> it.info().commandLine().orElse("").contains("warden.sh"))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private Path fifo() throws IOException, InterruptedException {
        Path fifo = file("fifo");
        if (!Files.exists(fifo)) {
            new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
        }
        return fifo;
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static double bootDeadline(TestLease lease) {
        BootClock clock = BootClock.system();
        return (clock.now() + lease.deadlineNanos() - System.nanoTime()) / 1e9 + 0.01;
    }
}
