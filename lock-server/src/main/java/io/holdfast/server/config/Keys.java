package io.holdfast.server.config;

import io.holdfast.core.LockTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Every key of the configuration file, its default and its limit. {@code config/holdfast.yaml} says the same for people. */
final class Keys {
    static final Key<String> CLUSTER = Key.name("cluster");
    static final Key<String> NODE = Key.text("node", "the id of a member");
    static final Key<String> DATA = Key.text("data", "a folder");

    /** A list; what its items hold are the three after it. */
    static final String MEMBERS = "members";

    static final Key<String> MEMBER_ID = Key.name("id");
    static final Key<HostPort> MEMBER_CLIENT = Key.hostPort("client", "");
    static final Key<HostPort> MEMBER_RAFT = Key.hostPort("raft", "");

    static final Key<HostPort> BIND_CLIENT = Key.hostPort("bind.client", "this member's client");
    static final Key<HostPort> BIND_RAFT = Key.hostPort("bind.raft", "this member's raft");

    static final Key<Optional<HostPort>> BIND_METRICS = Key.hostPortOrNowhere("bind.metrics");

    static final Key<Duration> ELECTION_TIMEOUT_MIN = Key.duration("raft.election-timeout-min", "500ms", "50ms", "30s");
    static final Key<Duration> ELECTION_TIMEOUT_MAX =
            Key.duration("raft.election-timeout-max", "750ms", "100ms", "60s");

    static final Key<Duration> TICK_MAX_INTERVAL = Key.duration("tick.max-interval", "1s", "100ms", "10s");
    static final Key<Duration> TICK_MAX_STEP = Key.duration("tick.max-step", "2 × tick.max-interval", "100ms", "60s");
    static final Key<Duration> FAILOVER_GRACE = Key.duration("failover.grace", "1s", "0s", "60s");

    static final Key<Integer> MAX_ENTRY_COMMANDS = Key.count("proposer.max-entry-commands", "2048", 1, 16_384);
    static final Key<Integer> MAX_ENTRY_BYTES = Key.bytes("proposer.max-entry-bytes", "256KiB", "4KiB", "1MiB");
    static final Key<Integer> MAX_QUEUED_COMMANDS = Key.count("proposer.max-queued-commands", "65536", 64, 4_194_304);

    static final Key<Integer> SNAPSHOT_LOG_BYTES = Key.bytes("snapshot.log-bytes", "32MiB", "1MiB", "1GiB");
    static final Key<Integer> SNAPSHOT_CHANGES = Key.count("snapshot.changes", "65536", 1_000, 1_000_000);
    static final Key<Integer> SNAPSHOT_KEEP = Key.count("snapshot.keep", "3", 2, 16);

    static final Key<Long> DISK_RESERVE = Key.space("disk.reserve", "64MiB", "0B", "1024GiB");

    static final Key<Integer> MAX_FEATURE_LEVEL = Key.count(
            "upgrade.max-feature-level",
            Integer.toString(LockTable.NEWEST_FEATURE_LEVEL),
            1,
            LockTable.NEWEST_FEATURE_LEVEL);

    static final Key<Integer> MAX_REQUEST_BYTES = Key.bytes("grpc.max-request-bytes", "1MiB", "16KiB", "2MiB");
    static final Key<Integer> MAX_CONNECTIONS = Key.count("grpc.max-connections", "10000", 1, 1_000_000);
    static final Key<Integer> MAX_CALLS_PER_CONNECTION =
            Key.count("grpc.max-calls-per-connection", "10000", 1, 1_000_000);
    static final Key<Duration> LEADER_WAIT = Key.duration("grpc.leader-wait", "2s", "0s", "30s");
    static final Key<Duration> FORWARD_TIMEOUT = Key.duration("grpc.forward-timeout", "10s", "100ms", "30s");

    static final Key<Integer> MAX_PAGE_SIZE = Key.count("reads.max-page-size", "1000", 1, 10_000);
    static final Key<Integer> MAX_WAITERS = Key.count("reads.max-waiters", "10000", 1, 100_000);

    static final Key<Integer> MAX_WATCHERS_PER_CONNECTION = Key.count("watch.max-per-connection", "1000", 1, 1_000_000);
    static final Key<Integer> MAX_WATCHERS = Key.count("watch.max-watchers", "20000", 1, 1_000_000);
    static final Key<Integer> WATCH_BUFFER_EVENTS = Key.count("watch.buffer-events", "65536", 64, 4_194_304);

    /** All keys outside of the list of members. */
    static final List<Key<?>> TOP = List.of(
            CLUSTER,
            NODE,
            DATA,
            BIND_CLIENT,
            BIND_RAFT,
            BIND_METRICS,
            ELECTION_TIMEOUT_MIN,
            ELECTION_TIMEOUT_MAX,
            TICK_MAX_INTERVAL,
            TICK_MAX_STEP,
            FAILOVER_GRACE,
            MAX_ENTRY_COMMANDS,
            MAX_ENTRY_BYTES,
            MAX_QUEUED_COMMANDS,
            SNAPSHOT_LOG_BYTES,
            SNAPSHOT_CHANGES,
            SNAPSHOT_KEEP,
            DISK_RESERVE,
            MAX_FEATURE_LEVEL,
            MAX_REQUEST_BYTES,
            MAX_CONNECTIONS,
            MAX_CALLS_PER_CONNECTION,
            LEADER_WAIT,
            FORWARD_TIMEOUT,
            MAX_PAGE_SIZE,
            MAX_WAITERS,
            MAX_WATCHERS_PER_CONNECTION,
            MAX_WATCHERS,
            WATCH_BUFFER_EVENTS);

    /** What each member holds. */
    static final List<Key<?>> OF_MEMBER = List.of(MEMBER_ID, MEMBER_CLIENT, MEMBER_RAFT);

    private Keys() {}
}
