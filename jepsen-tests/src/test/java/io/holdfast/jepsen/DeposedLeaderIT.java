package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.holdfast.jepsen.process.NodeProcess;
import io.holdfast.jepsen.process.RealCluster;
import io.holdfast.jepsen.wire.Grant;
import io.holdfast.jepsen.wire.Wire;
import io.holdfast.jepsen.wire.WireClient;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.Lock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The leader freezes, the others move on, and it is read from as fast as it answers from the moment it wakes: nothing that was overtaken may be shown, even in the milliseconds in which it does not know yet that it was deposed.
 *
 * <p>{@code -Dholdfast.rounds=200} repeats it as often as the project promises.
 */
@Tag("faults")
@OnSharedCluster
class DeposedLeaderIT {
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(2);
    private static final int READERS = 3;

    /** So long after it woke a deposed leader knows (some ms, by trial). */
    private static final Duration TIGHT = Duration.ofMillis(300);

    @Test
    void a_leader_that_wakes_deposed_shows_nothing_that_was_overtaken(RealCluster cluster) throws Exception {
        int answered = 0;
        int rounds = Rounds.orElse(3);
        for (int round = 0; round < rounds; round++) {
            answered += round(cluster);
        }
        System.out.printf("%d rounds, %d answers of deposed leaders, none stale%n", rounds, answered);
    }

    /** {@return how many answers the old leader gave} */
    private static int round(RealCluster cluster) throws Exception {
        NodeProcess old = cluster.leader();
        List<Wire> others = cluster.followers().stream().map(NodeProcess::wire).toList();
        var client = new WireClient(() -> others.getFirst());
        String name = Names.fresh("overtaken");
        Grant overtaken = client.mustAcquire(client.request(name, TTL, Duration.ZERO));
        // What was answered once is what a stale answer would be.
        assertThat(tokens(get(old, name))).containsExactly(overtaken.token());

        old.pause();
        await().until(() -> cluster.presentLeader().isPresent());
        client.send(client.releaseOf(overtaken));
        Grant present = client.mustAcquire(client.request(name, TTL, Duration.ZERO));

        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger answers = new AtomicInteger();
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            Supplier<Stream<Lock>> read = i == 0 ? () -> list(old, name) : () -> get(old, name);
            readers.add(Background.run(() -> {
                readTightly(read, present.token(), isOver, answers);
                return null;
            }));
        }
        old.resume();
        await().pollDelay(TIGHT).until(() -> true); // the span is the subject
        isOver.set(true);
        for (CompletableFuture<Void> reader : readers) {
            reader.get();
        }
        await().ignoreExceptionsInstanceOf(StatusRuntimeException.class)
                .untilAsserted(() -> assertThat(tokens(get(old, name))).containsExactly(present.token()));
        client.send(client.releaseOf(present));
        cluster.heal();
        return answers.get();
    }

    private static void readTightly(
            Supplier<Stream<Lock>> read, long token, AtomicBoolean isOver, AtomicInteger answers) {
        while (!isOver.get()) {
            try {
                assertThat(tokens(read.get()))
                        .as("asked after token %d was granted elsewhere", token)
                        .containsExactly(token);
                answers.incrementAndGet();
            } catch (StatusRuntimeException e) {
                // No answer promises nothing.
                Thread.onSpinWait();
            }
        }
    }

    private static List<Long> tokens(Stream<Lock> locks) {
        return locks.flatMap(lock -> lock.getHoldersList().stream())
                .map(hold -> hold.getToken())
                .toList();
    }

    private static Stream<Lock> get(NodeProcess node, String name) {
        var answer = node.wire()
                .locks(READ_TIMEOUT)
                .getLock(GetLockRequest.newBuilder().setName(name).build());
        return Stream.of(answer.getLock()).filter(lock -> answer.hasLock());
    }

    private static Stream<Lock> list(NodeProcess node, String name) {
        var answer = node.wire()
                .locks(READ_TIMEOUT)
                .listLocks(ListLocksRequest.newBuilder().setPrefix(name).build());
        return answer.getLocksList().stream();
    }
}
