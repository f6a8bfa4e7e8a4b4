package io.holdfast.statemachine.ratis;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** How Ratis is set up, and why where it is not the default. */
final class RaftSettings {
    private static final SizeInBytes APPEND_BUFFER = SizeInBytes.valueOf("4MB");

    /** Most bytes of an entry: what Ratis sends at once, less what it adds to an entry. */
    static final int MAX_ENTRY_BYTES = APPEND_BUFFER.getSizeInt() - 4096;

    /** Most bytes of an entry as the log has it: Ratis reads no longer ones back. */
    static final int MAX_RECORD_BYTES = APPEND_BUFFER.getSizeInt();

    private static final SizeInBytes SEGMENT = SizeInBytes.valueOf("16MB");

    /** More bytes than any file of the log has: Ratis reserves some ahead, and looks at the size before it appends. */
    static final long MAX_SEGMENT_FILE_BYTES = SEGMENT.getSize() + 4 * APPEND_BUFFER.getSize();

    private RaftSettings() {}

    static RaftGroup group(RaftNodeConfig config) {
        List<RaftPeer> peers = config.members().stream().map(Peers::of).toList();
        return RaftGroup.valueOf(groupId(config), peers);
    }

    /** The group as a node knows it that is to be added to it. */
    static RaftGroup noMembers(RaftNodeConfig config) {
        return RaftGroup.valueOf(groupId(config), List.of());
    }

    static RaftGroupId groupId(RaftNodeConfig config) {
        byte[] name = ("holdfast/" + config.cluster()).getBytes(StandardCharsets.UTF_8);
        return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name));
    }

    static Path storage(RaftNodeConfig config) {
        return config.folder().resolve("raft");
    }

    static RaftProperties of(RaftNodeConfig config) {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
        GrpcConfigKeys.Server.setHost(properties, config.bindHost());
        GrpcConfigKeys.Server.setPort(properties, config.bindPort());
        // The defaults of both lie below the system's temporary folder.
        RaftServerConfigKeys.setStorageDir(properties, List.of(storage(config).toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(
                properties, config.folder().resolve("removed").toFile());
        log(properties);
        time(properties, config);
        snapshots(properties);
        return properties;
    }

    private static void log(RaftProperties properties) {
        // On by default, it appends a second entry after each commit: twice the syncs, and a log that grows when idle.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
        // Without it, a follower that could not write an entry confirms it when it is sent again: it has it in memory
        // then, and does not look whether it is on the disk (seen with Ratis 3.3.0 on a full disk). Costs some CPU.
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, true);
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SEGMENT);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf("64MB"));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, APPEND_BUFFER);
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf("8MB"));
    }

    private static void snapshots(RaftProperties properties) {
        // Ratis would take them on the thread that applies.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1);
        // A follower that is down must not keep the log from being purged: it gets a snapshot when it is back.
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(properties, SizeInBytes.valueOf("1MB"));
    }

    private static void time(RaftProperties properties, RaftNodeConfig config) {
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, millis(config.electionTimeoutMin()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, millis(config.electionTimeoutMax()));
        // By default a follower that was down for half a minute is tried only every 5 s. When it is back it hears so
        // seldom of its leader that it takes it for dead, again and again.
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "10ms,5, 100ms,1000000000");
        RaftServerConfigKeys.Notification.setNoLeaderTimeout(properties, millis(Duration.ofSeconds(5)));
        // A new member may be silent for a while when it takes a snapshot in; by default it is given up after 1.8 s.
        RaftServerConfigKeys.setStagingTimeout(properties, TimeDuration.valueOf(15, TimeUnit.SECONDS));
        // A node that was frozen for more than a minute would be closed for good, though Raft is safe with it: it
        // finds itself behind, and catches up.
        RaftServerConfigKeys.setCloseThreshold(properties, TimeDuration.valueOf(1, TimeUnit.DAYS));
        // An entry is sent once: what is sent again is told apart in the lock table. So a short memory does.
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, TimeDuration.valueOf(10, TimeUnit.SECONDS));
    }

    private static TimeDuration millis(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
