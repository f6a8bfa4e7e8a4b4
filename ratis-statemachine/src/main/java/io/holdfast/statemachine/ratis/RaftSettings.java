package io.holdfast.statemachine.ratis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** How Ratis is set up, and why where it is not the default. */
final class RaftSettings {
    private RaftSettings() {}

    static RaftProperties of(RaftNodeConfig config) {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
        int port = Integer.parseInt(
                raftAddress(config).substring(raftAddress(config).lastIndexOf(':') + 1));
        GrpcConfigKeys.Server.setPort(properties, port);

        // The defaults of both lie below the system's temporary folder.
        RaftServerConfigKeys.setStorageDir(
                properties, List.of(config.folder().resolve("raft").toFile()));
        properties.set(
                RaftServerConfigKeys.REMOVED_GROUPS_DIR_KEY,
                config.folder().resolve("removed").toString());

        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(config.electionTimeoutMin()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(config.electionTimeoutMax()));

        // On by default, it appends a second entry after each commit: twice the syncs, and a log that grows when idle.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf("32MB"));
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf("64MB"));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf("4MB"));
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf("8MB"));

        // An entry is sent once: what is sent again is told apart in the lock table. So a short memory does.
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, TimeDuration.valueOf(10, TimeUnit.SECONDS));
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        return properties;
    }

    private static String raftAddress(RaftNodeConfig config) {
        return config.members().stream()
                .filter(member -> member.nodeId().equals(config.nodeId()))
                .map(RaftNodeConfig.Member::raftAddress)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("node " + config.nodeId() + " is not a member"));
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
