package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a command whose supervisor, a process of its own here, is killed, frozen or sent signals. */
@Timeout(120)
final class GuardIT {
    private static final int FOR_EVER = 1_000_000;

    /** Left the session, so nobody but a living supervisor can find it. */
    private static final String OUTSIDE = "session.beat";

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() throws InterruptedException {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        Heartbeat.endAll(folder);
    }

    @Test
    void killed_supervisor_no_member_of_the_session_runs_at_the_deadline() throws Exception {
        Process supervisor = supervise(Duration.ofSeconds(2), FOR_EVER, Heartbeat.FAMILY);
        Heartbeat.awaitAll(folder);

        Proc.signal("KILL", supervisor.pid());

        Heartbeat.awaitSilence(folder, OUTSIDE);
        assertThat(Heartbeat.last(folder, OUTSIDE)).isLessThan(deadline());
        assertThat(Proc.session(leader())).isEmpty();
    }

    @Test
    void a_supervisor_killed_with_its_whole_group_is_avenged_too() throws Exception {
        Process supervisor = supervise(Duration.ofSeconds(2), FOR_EVER, Heartbeat.FAMILY);
        Heartbeat.awaitAll(folder);
        String group = Proc.stat(supervisor.pid()).orElseThrow()[2];
        assertThat(group).as("the test started it in a group of its own").isEqualTo(Long.toString(supervisor.pid()));

        Proc.signalGroup("KILL", supervisor.pid());

        Heartbeat.awaitSilence(folder, OUTSIDE);
        assertThat(Heartbeat.last(folder, OUTSIDE)).isLessThan(deadline());
    }

    @Test
    void killed_supervisor_a_command_that_heeds_sigterm_goes_at_once() throws Exception {
        Process supervisor = supervise(
                Duration.ofMinutes(5),
                FOR_EVER,
                "trap 'echo bye > ${0}.bye; exit' TERM; echo $$ > ${0%/*}/leader; while :; do sleep 0.01; done");
        await().until(() -> Files.exists(file("leader")));

        Proc.signal("KILL", supervisor.pid());

        await().atMost(Duration.ofSeconds(5)).until(() -> Files.exists(file("out.bye")));
        await().atMost(Duration.ofSeconds(5)).until(() -> Proc.session(leader()).isEmpty());
    }

    @Test
    void frozen_supervisor_nothing_in_the_session_runs_at_the_deadline() throws Exception {
        Process supervisor = supervise(Duration.ofSeconds(2), FOR_EVER, Heartbeat.FAMILY);
        Heartbeat.awaitAll(folder);

        Proc.signal("STOP", supervisor.pid());

        await().until(() -> Proc.isStopped(supervisor.pid()));
        Heartbeat.awaitSilence(folder, OUTSIDE);
        assertThat(Heartbeat.last(folder, OUTSIDE)).isLessThan(deadline());

        Proc.signal("CONT", supervisor.pid());
        assertThat(supervisor.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(supervisor.exitValue()).isEqualTo(4);
    }

    @Test
    void no_renewals_nothing_at_all_runs_at_the_deadline() throws Exception {
        Process supervisor = supervise(Duration.ofSeconds(3), 1, Heartbeat.FAMILY);

        assertThat(supervisor.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(supervisor.exitValue()).isEqualTo(4);
        Heartbeat.awaitSilence(folder);
        assertThat(Heartbeat.last(folder)).isLessThan(deadline());
    }

    @Test
    void signals_of_the_supervisor_reach_the_command() throws Exception {
        Process supervisor = supervise(
                Duration.ofMinutes(5),
                FOR_EVER,
                "for s in " + String.join(" ", Signals.PASSED_ON) + "; do trap \"echo $s >> $0\" $s; done; "
                        + "trap 'exit 77' TERM; echo $$ > ${0%/*}/leader; while :; do sleep 0.01; done");
        await().until(() -> Files.exists(file("leader")));
        for (String signal : List.of("INT", "HUP", "USR1", "USR2", "ALRM", "WINCH")) {
            Proc.signal(signal, supervisor.pid());
            await(signal)
                    .until(() -> Files.exists(file("out"))
                            && Files.readString(file("out")).endsWith(signal + "\n"));
        }

        Proc.signal("TERM", supervisor.pid());

        assertThat(supervisor.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(supervisor.exitValue()).isEqualTo(77);
    }

    @Test
    void the_command_has_our_input_and_output() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(line(Duration.ofMinutes(5), FOR_EVER, "cat; echo oops >&2"));
        Process supervisor = builder.start();
        started.add(supervisor);

        supervisor.getOutputStream().write("hello\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        supervisor.getOutputStream().close();

        assertThat(supervisor.inputReader().readLine()).isEqualTo("hello");
        assertThat(supervisor.errorReader().readLine()).isEqualTo("oops");
        assertThat(supervisor.waitFor()).isZero();
    }

    private Process supervise(Duration ttl, int renewals, String script) throws IOException {
        List<String> line = new ArrayList<>(Executables.ownSession().orElseThrow());
        line.addAll(line(ttl, renewals, script));
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(file("log").toFile()))
                .start();
        started.add(process);
        return process;
    }

    private List<String> line(Duration ttl, int renewals, String script) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                SupervisorMain.class.getName(),
                folder.toString(),
                Long.toString(ttl.toMillis()),
                Integer.toString(renewals),
                "/bin/bash",
                "-c",
                script,
                file("out").toString());
    }

    private long leader() throws IOException {
        return Long.parseLong(Files.readString(file("leader")).strip());
    }

    private double deadline() throws IOException {
        return Double.parseDouble(Files.readString(file("deadline")));
    }

    private Path file(String name) {
        return folder.resolve(name);
    }
}
