package io.holdfast.statemachine.ratis;

import io.holdfast.statemachine.disk.DamagedDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** Checks {@code raft-meta.conf}, in which Ratis keeps the newest configuration that was applied. Where it cannot read it, Ratis says so and takes the members of the first start. */
final class ConfigurationFile {
    static final String FILE = "raft-meta.conf";

    private ConfigurationFile() {}

    /**
     * Reads the entry, more strictly than Ratis does.
     *
     * @param file where it is
     * @param bytes its content
     * @return the entry
     * @throws DamagedDataException if Ratis never writes such a file
     */
    static LogEntryProto parse(Path file, byte[] bytes) throws DamagedDataException {
        return parse(bytes)
                // Written again, it must be the same: else there is something in it that is no part of an entry.
                .filter(entry -> Arrays.equals(entry.toByteArray(), bytes))
                // The one that comes with the leader's snapshot has no term.
                .filter(entry -> entry.getTerm() >= 0 && isPlausible(entry.getConfigurationEntry()))
                .orElseThrow(() ->
                        new DamagedDataException(file, -1, "not a configuration of the cluster, as Ratis writes it"));
    }

    /** {@return log index of the configuration in this file; −1 if it cannot be read} */
    static long index(Path file) {
        try {
            return parse(file, Files.readAllBytes(file)).getIndex();
        } catch (IOException e) {
            return -1;
        }
    }

    private static Optional<LogEntryProto> parse(byte[] bytes) {
        try {
            return Optional.of(LogEntryProto.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    private static boolean isPlausible(RaftConfigurationProto configuration) {
        List<RaftPeerProto> peers = configuration.getPeersList();
        return !peers.isEmpty()
                && peers.stream().map(RaftPeerProto::getId).distinct().count() == peers.size()
                && Stream.of(
                                peers,
                                configuration.getOldPeersList(),
                                configuration.getListenersList(),
                                configuration.getOldListenersList())
                        .flatMap(List::stream)
                        .allMatch(Peers::isPlausible);
    }
}
