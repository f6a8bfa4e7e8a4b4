package io.holdfast.server.config;

import io.holdfast.server.proposer.ProposerConfig;
import io.holdfast.server.watch.WatchConfig;
import java.nio.file.Path;
import java.util.List;

/**
 * All that an operator sets for one node, checked.
 *
 * @param file where it was read
 * @param cluster name of the cluster
 * @param node id of this node, one of the members'
 * @param data folder for all that this node keeps
 * @param members the members of the cluster
 * @param bind where this node listens
 * @param raft how replication keeps time
 * @param proposer how log entries are made
 * @param snapshot when snapshots are taken, and how many are kept
 * @param disk what is left of the disk
 * @param upgrade how far it goes along with an upgrade
 * @param grpc what the gRPC front door bears
 * @param reads how much one read may ask for
 * @param watch what watching may cost
 */
public record ServerConfig(
        Path file,
        String cluster,
        String node,
        Path data,
        List<MemberConfig> members,
        BindConfig bind,
        RaftConfig raft,
        ProposerConfig proposer,
        SnapshotConfig snapshot,
        DiskConfig disk,
        UpgradeConfig upgrade,
        GrpcConfig grpc,
        ReadConfig reads,
        WatchConfig watch) {
    /** Copies the members. */
    public ServerConfig {
        members = List.copyOf(members);
    }
}
