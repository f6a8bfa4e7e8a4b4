package io.holdfast.server.config;

import io.holdfast.server.proposer.ProposerConfig;
import io.holdfast.server.watch.WatchConfig;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads a node's configuration file, and tells all that is wrong with it at once. */
public final class ConfigFile {
    private static final int MAX_MEMBERS = 9;
    private static final String MEMBERS_LIMIT =
            "a list of 1 to " + MAX_MEMBERS + " members, each with id, client, raft";

    private final Path file;
    private final List<Problem> problems = new ArrayList<>();
    private final Settings settings;

    private ConfigFile(Path file, YamlNode.Mapping root) {
        this.file = file;
        this.settings = new Settings(file, root, "", problems);
    }

    /**
     * Reads and checks a file.
     *
     * @param file the file
     * @return what it says, defaults filled in; relative folders are relative to the file's
     * @throws ConfigException if no node can start with it
     */
    public static ServerConfig load(Path file) throws ConfigException {
        Path absolute = file.toAbsolutePath().normalize();
        return new ConfigFile(absolute, YamlFile.read(absolute)).read();
    }

    private ServerConfig read() throws ConfigException {
        Optional<String> cluster = settings.required(Keys.CLUSTER);
        Optional<String> node = settings.required(Keys.NODE);
        Optional<Path> data = settings.required(Keys.DATA).flatMap(this::folder);
        List<MemberConfig> members = members();
        Optional<MemberConfig> self = node.flatMap(id -> self(id, members));
        Optional<BindConfig> bind = bind(self);
        RaftConfig raft = raft();
        ProposerConfig proposer = proposer(raft);
        SnapshotConfig snapshot = new SnapshotConfig(
                settings.get(Keys.SNAPSHOT_LOG_BYTES),
                settings.get(Keys.SNAPSHOT_CHANGES),
                settings.get(Keys.SNAPSHOT_KEEP));
        DiskConfig disk = new DiskConfig(settings.get(Keys.DISK_RESERVE));
        UpgradeConfig upgrade = new UpgradeConfig(settings.get(Keys.MAX_FEATURE_LEVEL));
        GrpcConfig grpc = grpc();
        ReadConfig reads = new ReadConfig(settings.get(Keys.MAX_PAGE_SIZE), settings.get(Keys.MAX_WAITERS));
        WatchConfig watch = new WatchConfig(
                settings.get(Keys.MAX_WATCHERS_PER_CONNECTION),
                settings.get(Keys.MAX_WATCHERS),
                settings.get(Keys.WATCH_BUFFER_EVENTS));
        refuseUnknown();
        if (!problems.isEmpty()) {
            problems.sort(Comparator.comparingInt(Problem::line));
            throw new ConfigException(problems);
        }
        return new ServerConfig(
                file,
                cluster.orElseThrow(),
                node.orElseThrow(),
                data.orElseThrow(),
                members,
                bind.orElseThrow(),
                raft,
                proposer,
                snapshot,
                disk,
                upgrade,
                grpc,
                reads,
                watch);
    }

    private void refuseUnknown() {
        List<String> known = new ArrayList<>();
        Keys.TOP.forEach(key -> known.add(key.name()));
        known.add(Keys.MEMBERS);
        settings.refuseAllBut(known);
    }

    private Optional<Path> folder(String text) {
        try {
            return Optional.of(file.resolveSibling(text).normalize());
        } catch (InvalidPathException e) {
            settings.refuse(Keys.DATA.name(), Keys.DATA.limit());
            return Optional.empty();
        }
    }

    private List<MemberConfig> members() {
        List<YamlNode> items = settings.items(Keys.MEMBERS, MEMBERS_LIMIT);
        if (items.size() > MAX_MEMBERS) {
            settings.note(
                    settings.lineOf(Keys.MEMBERS),
                    Keys.MEMBERS,
                    "has " + items.size() + " members; it must be " + MEMBERS_LIMIT);
        }
        List<MemberConfig> members = new ArrayList<>();
        Map<String, String> taken = new HashMap<>();
        for (int i = 0; i < items.size(); i++) {
            String name = Keys.MEMBERS + "[" + i + "]";
            if (items.get(i) instanceof YamlNode.Mapping mapping) {
                member(new Settings(file, mapping, name + ".", problems), name, taken)
                        .ifPresent(members::add);
            } else {
                settings.note(
                        items.get(i).line(),
                        name,
                        "is " + items.get(i).kind() + "; it must be a group of keys: id, client, raft");
            }
        }
        return members;
    }

    /** Reads one member; its id and addresses must be its own. */
    private static Optional<MemberConfig> member(Settings member, String name, Map<String, String> taken) {
        Optional<String> id = member.required(Keys.MEMBER_ID);
        Optional<HostPort> client = member.required(Keys.MEMBER_CLIENT);
        Optional<HostPort> raft = member.required(Keys.MEMBER_RAFT);
        member.refuseAllBut(Keys.OF_MEMBER.stream().map(Key::name).toList());
        id.ifPresent(it -> claim(member, name, "id", it, taken));
        client.ifPresent(it -> claim(member, name, "client", it.toString(), taken));
        raft.ifPresent(it -> claim(member, name, "raft", it.toString(), taken));
        return id.flatMap(i -> client.flatMap(c -> raft.map(r -> new MemberConfig(i, c, r))));
    }

    private static void claim(Settings member, String name, String key, String value, Map<String, String> taken) {
        String other = taken.putIfAbsent(value, name + "." + key);
        if (other != null) {
            member.note(member.lineOf(key), key, "is " + value + ", and so is " + other + "; each must have its own");
        }
    }

    private Optional<MemberConfig> self(String node, List<MemberConfig> members) {
        Optional<MemberConfig> self =
                members.stream().filter(member -> member.id().equals(node)).findFirst();
        if (self.isEmpty() && settings.has(Keys.MEMBERS)) {
            String ids = members.stream().map(MemberConfig::id).collect(Collectors.joining(", "));
            settings.refuse(Keys.NODE.name(), "the id of a member: " + ids);
        }
        return self;
    }

    private Optional<BindConfig> bind(Optional<MemberConfig> self) {
        Optional<HostPort> client = settings.find(Keys.BIND_CLIENT).or(() -> self.map(MemberConfig::client));
        Optional<HostPort> raft = settings.find(Keys.BIND_RAFT).or(() -> self.map(MemberConfig::raft));
        settings.refuseUnless(
                client.isEmpty() || !client.equals(raft), Keys.BIND_RAFT, "another than bind.client", Keys.BIND_CLIENT);
        Optional<HostPort> metrics = settings.get(Keys.BIND_METRICS);
        settings.refuseUnless(
                metrics.isEmpty() || !metrics.equals(client),
                Keys.BIND_METRICS,
                "another than bind.client",
                Keys.BIND_CLIENT);
        settings.refuseUnless(
                metrics.isEmpty() || !metrics.equals(raft),
                Keys.BIND_METRICS,
                "another than bind.raft",
                Keys.BIND_RAFT);
        return client.flatMap(c -> raft.map(r -> new BindConfig(c, r, metrics)));
    }

    private RaftConfig raft() {
        Duration min = settings.get(Keys.ELECTION_TIMEOUT_MIN);
        Duration max = settings.get(Keys.ELECTION_TIMEOUT_MAX);
        settings.refuseUnless(
                max.compareTo(min) > 0,
                Keys.ELECTION_TIMEOUT_MAX,
                "more than raft.election-timeout-min, which is " + min.toMillis() + "ms; twice as much is usual",
                Keys.ELECTION_TIMEOUT_MIN);
        return new RaftConfig(min, max);
    }

    private ProposerConfig proposer(RaftConfig raft) {
        Duration interval = settings.get(Keys.TICK_MAX_INTERVAL);
        Duration step = settings.find(Keys.TICK_MAX_STEP).orElse(interval.multipliedBy(2));
        settings.refuseUnless(
                step.compareTo(interval) >= 0,
                Keys.TICK_MAX_STEP,
                "at least tick.max-interval, which is " + interval.toMillis() + "ms",
                Keys.TICK_MAX_INTERVAL);
        return new ProposerConfig(
                interval,
                step,
                settings.get(Keys.FAILOVER_GRACE),
                raft.electionTimeoutMax(),
                settings.get(Keys.MAX_ENTRY_COMMANDS),
                settings.get(Keys.MAX_ENTRY_BYTES),
                settings.get(Keys.MAX_QUEUED_COMMANDS));
    }

    private GrpcConfig grpc() {
        return new GrpcConfig(
                settings.get(Keys.MAX_REQUEST_BYTES),
                settings.get(Keys.MAX_CONNECTIONS),
                settings.get(Keys.MAX_CALLS_PER_CONNECTION),
                settings.get(Keys.LEADER_WAIT),
                settings.get(Keys.FORWARD_TIMEOUT));
    }
}
