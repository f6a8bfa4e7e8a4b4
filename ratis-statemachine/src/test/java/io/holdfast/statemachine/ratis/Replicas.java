package io.holdfast.statemachine.ratis;

import static org.awaitility.Awaitility.await;

import io.holdfast.core.Command;
import io.holdfast.core.FencingToken;
import io.holdfast.core.LockName;
import io.holdfast.core.Owner;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.statemachine.codec.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A cluster of real nodes within this JVM, with free ports and a folder each. */
final class Replicas implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path folder;
    private final List<RaftNodeConfig.Member> members;
    private final Map<String, Replica> running = new TreeMap<>();
    private final AtomicLong proposals = new AtomicLong();
    private SnapshotPolicy snapshots = SnapshotPolicy.DEFAULT;
    private long leaseTime;

    /** A running node and what it has heard. */
    record Replica(String id, RaftNode node, LockStateMachine machine, Recorder recorder) {
        /** Applied index and digest, read together. */
        String state() {
            return machine.read(table -> table.appliedIndex() + " " + table.digest());
        }

        long appliedIndex() {
            return machine.read(table -> table.appliedIndex());
        }

        Optional<FencingToken> tokenOf(String lock) {
            return machine.read(table -> table.lock(new LockName(lock), 0)
                    .map(view -> view.holders().get(0).token()));
        }
    }

    private Replicas(Path folder, int size) {
        this.folder = folder;
        this.members = new ArrayList<>(members(size));
    }

    static Replicas start(Path folder, int size) throws IOException {
        Replicas replicas = of(folder, size);
        replicas.startAll();
        return replicas;
    }

    /** None of them runs yet. */
    static Replicas of(Path folder, int size) {
        return new Replicas(folder, size);
    }

    /** Nodes started from now on take snapshots so. */
    Replicas taking(SnapshotPolicy policy) {
        snapshots = policy;
        return this;
    }

    static List<RaftNodeConfig.Member> members(int size) {
        List<ServerSocket> reserved = new ArrayList<>();
        List<RaftNodeConfig.Member> members = new ArrayList<>();
        try {
            for (int i = 1; i <= size; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                reserved.add(socket);
                members.add(new RaftNodeConfig.Member(
                        "n" + i, "127.0.0.1:" + socket.getLocalPort(), "client-of-n" + i + ":7400"));
            }
            for (ServerSocket socket : reserved) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return members;
    }

    void startAll() throws IOException {
        for (RaftNodeConfig.Member member : members) {
            start(member.nodeId());
        }
    }

    void startAllBut(String id) throws IOException {
        for (RaftNodeConfig.Member member : members) {
            if (!member.nodeId().equals(id)) {
                start(member.nodeId());
            }
        }
    }

    Replica start(String id) throws IOException {
        Recorder recorder = new Recorder();
        LockStateMachine machine = new LockStateMachine(recorder, recorder);
        Replica replica = new Replica(id, RaftNode.start(config(id), machine), machine, recorder);
        running.put(id, replica);
        return replica;
    }

    /** Starts one more node, that waits to be added. */
    RaftNodeConfig.Member startNew(String id) throws IOException {
        RaftNodeConfig.Member member = named(id, members(1).get(0));
        members.add(member);
        start(id);
        awaitWaiting(id, "it waits to be added");
        return member;
    }

    /** Waits until a node that runs says that it waits for this. */
    void awaitWaiting(String id, String what) {
        await().pollInterval(Duration.ofMillis(10))
                .atMost(PATIENCE)
                .until(
                        () -> get(id).node().waiting(),
                        waiting -> waiting.filter(it -> it.contains(what)).isPresent());
    }

    /** Loses all that a node has, which must not run. */
    void wipe(String id) throws IOException {
        try (var files = Files.walk(folder.resolve(id))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    static RaftNodeConfig.Member named(String id, RaftNodeConfig.Member member) {
        return new RaftNodeConfig.Member(id, member.raftAddress(), "client-of-" + id + ":7400");
    }

    RaftNodeConfig.Member member(String id) {
        return members.stream().filter(it -> it.nodeId().equals(id)).findFirst().orElseThrow();
    }

    RaftNodeConfig config(String id) {
        return config("test", id, members, folder.resolve(id), snapshots);
    }

    static RaftNodeConfig config(String cluster, String id, List<RaftNodeConfig.Member> members, Path folder) {
        return config(cluster, id, members, folder, SnapshotPolicy.DEFAULT);
    }

    private static RaftNodeConfig config(
            String cluster, String id, List<RaftNodeConfig.Member> members, Path folder, SnapshotPolicy snapshots) {
        return new RaftNodeConfig(
                cluster,
                id,
                members,
                members.stream()
                        .filter(member -> member.nodeId().equals(id))
                        .findFirst()
                        .orElseThrow()
                        .raftAddress(),
                folder,
                RaftNodeConfig.DEFAULT_ELECTION_TIMEOUT_MIN,
                RaftNodeConfig.DEFAULT_ELECTION_TIMEOUT_MAX,
                DiskState.DEFAULT_RESERVE_BYTES,
                snapshots);
    }

    List<Replica> all() {
        return List.copyOf(running.values());
    }

    Replica get(String id) {
        return all().stream().filter(it -> it.id().equals(id)).findFirst().orElseThrow();
    }

    /** Waits until one of those that run leads and is ready, by its own listener. */
    Replica leader() {
        return await().pollInterval(Duration.ofMillis(10))
                .atMost(PATIENCE)
                .until(() -> all().stream().filter(it -> it.recorder().leads()).findFirst(), Optional::isPresent)
                .orElseThrow();
    }

    List<Replica> followers() {
        Replica leader = leader();
        return all().stream().filter(it -> !it.id().equals(leader.id())).toList();
    }

    /** Closes a node. */
    void stop(Replica replica) throws IOException {
        running.remove(replica.id());
        replica.node().close();
    }

    /** Closes nodes all at once, while the caller goes on. */
    CompletableFuture<Void> stopLater(List<Replica> some) {
        return CompletableFuture.allOf(some.stream()
                .map(replica -> {
                    running.remove(replica.id());
                    return CompletableFuture.runAsync(() -> close(replica), Thread::startVirtualThread);
                })
                .toArray(CompletableFuture<?>[]::new));
    }

    private static void close(Replica replica) {
        try {
            replica.node().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void stopAll() {
        stopLater(all()).join();
    }

    @Override
    public void close() {
        stopAll();
    }

    /** Has the leader commit an entry, and leadership may move meanwhile: an entry that was refused is offered again. */
    void commit(Command... commands) {
        Entry entry = entry(commands);
        await().pollInterval(Duration.ofMillis(10))
                .atMost(PATIENCE)
                .until(() -> leader().node().append(entry).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Has the leader commit an entry of about that size, which changes nothing. */
    void commitBytes(int bytes) {
        String filler = "x".repeat(240);
        Command nobodys = new Command.RenewHold(new Owner.OneShot(filler), new LockName(filler), Optional.empty(), 0);
        commit(Collections.nCopies(bytes / 500, nobodys).toArray(Command[]::new));
    }

    Entry entry(Command... commands) {
        leaseTime += 1_000_000;
        return new Entry(proposals.incrementAndGet(), leaseTime, List.of(commands));
    }

    /** Waits until all that run have applied the same, and as much as the furthest of them. */
    String agreement() {
        await().pollInterval(Duration.ofMillis(10))
                .atMost(PATIENCE)
                .until(() -> all().stream().map(Replica::state).distinct().count() == 1
                        && all().stream().map(Replica::appliedIndex).allMatch(index -> index > 0));
        return all().get(0).state();
    }

    static Command.Acquire acquire(String lock, String owner) {
        return new Command.Acquire(
                new Owner.OneShot(owner),
                new LockName(lock),
                new Request.Identified(new RequestId(lock.hashCode(), owner.hashCode()), 0),
                10_000_000_000L,
                0,
                "");
    }
}
