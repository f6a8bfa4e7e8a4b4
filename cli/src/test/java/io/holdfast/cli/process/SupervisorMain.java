package io.holdfast.cli.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** {@code holdfast run} without a store, for tests that kill or freeze it: FOLDER TTL_MILLIS RENEWALS CMD…. Renews at a third of the TTL, and writes each deadline, in seconds since boot, to FOLDER/deadline. */
final class SupervisorMain {
    private SupervisorMain() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Duration ttl = Duration.ofMillis(Long.parseLong(arguments[1]));
        int renewals = Integer.parseInt(arguments[2]);
        List<String> command = Arrays.asList(arguments).subList(3, arguments.length);
        Supervisor supervisor = Supervisor.prepare("orders/42", System.err::println);
        Signals.handle(Signals.PASSED_ON, supervisor::signalled);
        TestLease lease = new TestLease(ttl);
        note(folder, lease);
        Thread renewing = new Thread(() -> renew(folder, lease, renewals, supervisor));
        renewing.setDaemon(true);
        renewing.start();
        Supervisor.Outcome outcome = supervisor.run(
                lease, new Supervisor.Order(command, Map.of(), Supervisor.OnLost.KILL, Supervisor.usualGrace(ttl)));
        supervisor.close();
        System.exit(outcome.lost().isPresent() ? 4 : outcome.exitCode());
    }

    private static void renew(Path folder, TestLease lease, int renewals, Supervisor supervisor) {
        try {
            for (int i = 0; i < renewals; i++) {
                Thread.sleep(lease.ttl().dividedBy(3));
                // As with a store: the client learns of the renewal after the store has made it.
                TestLease next = new TestLease(lease.ttl());
                note(folder, next);
                lease.renewAsOf(next);
                supervisor.renewed();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void note(Path folder, TestLease lease) throws Exception {
        long boot = BootClock.system().now() + lease.deadlineNanos() - System.nanoTime();
        Path draft = folder.resolve("deadline.new");
        Files.writeString(draft, Double.toString(boot / 1e9 + 0.01));
        Files.move(
                draft, folder.resolve("deadline"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
