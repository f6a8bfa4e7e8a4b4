package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.PATIENCE;
import static io.holdfast.statemachine.ratis.Replicas.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.core.Command;
import io.holdfast.statemachine.ratis.Replicas.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes, and the disk of one of them is full. */
@Tag("faults")
class FullDiskTest {
    private static final String POOR = "n3";

    @TempDir
    Path folder;

    private SmallDisk disk;
    private Replicas replicas;
    private int names;

    @BeforeEach
    void startThree() throws Exception {
        // A leader whose log fails ends with exceptions in Ratis' threads.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
        disk = SmallDisk.mount(folder.resolve(POOR), 9);
        replicas = Replicas.start(folder, 3);
        lead("n1"); // a leader with such a disk hands over at the first look at it
        noteTerm();
    }

    @AfterEach
    void stop() throws Exception {
        Awaitility.reset();
        if (replicas != null) {
            replicas.close();
        }
        if (disk != null) {
            disk.close();
        }
    }

    @Test
    void a_follower_says_so_stops_and_catches_up_when_there_is_space_again() throws Exception {
        disk.fill();
        Replica poor = replicas.get(POOR);

        writeUntilFatal(poor);

        assertThat(poor.recorder().fatal)
                .singleElement()
                .asString()
                .contains("The log in " + GroupFolder.of(replicas.config(POOR)).current())
                .endsWith("cannot be written: No space left on device");
        replicas.stop(poor);
        replicas.commit(large());
        disk.free();
        startAgain();
        replicas.agreement();
    }

    @Test
    void a_follower_that_could_not_write_confirms_nothing_any_more() throws Exception {
        disk.fill();
        writeUntilFatal(replicas.get(POOR));
        Replica leader = replicas.leader();
        // Others go on, and the leader offers it all again.
        for (int i = 0; i < 5; i++) {
            replicas.commit(large());
        }
        replicas.stop(replicas.get(leader.id().equals("n1") ? "n2" : "n1"));

        CompletableFuture<Boolean> alone = leader.node().append(replicas.entry(acquire("a", "x")));

        await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> !alone.isDone());
        replicas.stop(replicas.get(POOR));
        await().atMost(PATIENCE).until(() -> !leader.recorder().leads());
        assertThat(isCommitted(alone)).isFalse();
        assertThat(leader.tokenOf("a")).isEmpty();
    }

    @Test
    void a_leader_says_so_confirms_nothing_any_more_and_another_leads() throws Exception {
        lead(POOR);
        disk.fill();
        Replica poor = replicas.get(POOR);
        AtomicReference<CompletableFuture<Boolean>> last = new AtomicReference<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> {
            last.set(poor.node().append(replicas.entry(large())));
            await().atMost(PATIENCE).until(last.get()::isDone);
            return !poor.recorder().fatal.isEmpty();
        });

        assertThat(isCommitted(last.get())).isFalse();
        assertThat(poor.recorder().fatal).singleElement().asString().endsWith("No space left on device");
        await().atMost(PATIENCE).until(() -> !poor.recorder().leads());
        replicas.stop(poor);
        replicas.commit(acquire("a", "x"));
        disk.free();
        startAgain();
        replicas.agreement();
    }

    @Test
    void a_leader_hands_over_before_its_disk_is_full() throws Exception {
        lead(POOR);
        replicas.get(POOR).node().poll();

        assertThat(replicas.get(POOR).node().disk().isLow()).isTrue();
        assertThat(replicas.get(POOR).node().disk().usableBytes()).isLessThan(9 << 20);
        await().atMost(PATIENCE).until(() -> !replicas.leader().id().equals(POOR));
        replicas.commit(acquire("a", "x"));
        replicas.get("n1").node().poll();
        assertThat(replicas.get("n1").node().disk().isBad()).isFalse();
    }

    /** As the node's timer does all the time. */
    private void noteTerm() {
        Replica poor = replicas.get(POOR);
        await().atMost(PATIENCE).until(() -> {
            poor.node().poll();
            return MetaSeal.read(GroupFolder.of(replicas.config(POOR)).root())
                    .filter(it -> it.configuration().isPresent())
                    .isPresent();
        });
    }

    /** Ratis may not have come to its end yet. */
    private void startAgain() {
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> replicas.start(POOR).id().equals(POOR));
    }

    /** False too if that is unknown. */
    private static boolean isCommitted(CompletableFuture<Boolean> fate) throws Exception {
        return fate.handle((committed, e) -> committed != null && committed)
                .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void lead(String id) {
        await().atMost(PATIENCE).pollDelay(Duration.ZERO).until(() -> {
            Replica leader = replicas.leader();
            return leader.id().equals(id) || leader.node().transferLeadership(id, PATIENCE);
        });
        await().atMost(PATIENCE).until(() -> replicas.leader().id().equals(id));
    }

    private void writeUntilFatal(Replica poor) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> {
            replicas.commit(large());
            return !poor.recorder().fatal.isEmpty();
        });
    }

    /** About 50 KiB. */
    private Command[] large() {
        return IntStream.range(0, 100)
                .mapToObj(i -> acquire("l".repeat(200) + names++, "x".repeat(250)))
                .toArray(Command[]::new);
    }
}
