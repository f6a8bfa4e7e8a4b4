package io.holdfast.server.node;

import io.holdfast.server.config.ConfigException;
import io.holdfast.server.config.ConfigFile;
import io.holdfast.server.config.ConfigText;
import io.holdfast.server.config.HostPort;
import io.holdfast.server.config.MemberConfig;
import io.holdfast.server.config.ServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Configurations of nodes of clusters of one, on free ports. */
final class TestNode {
    private TestNode() {}

    /** Writes {@code <node>.yaml} into a folder, and reads it. */
    static ServerConfig config(Path root, String node, Path data) {
        try {
            return ConfigFile.load(file(root, node, data));
        } catch (ConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    static Path file(Path root, String node, Path data) {
        MemberConfig self = new MemberConfig(node, free(), free());
        try {
            return Files.writeString(root.resolve(node + ".yaml"), ConfigText.of("test", node, data, List.of(self)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An address that nobody listens on. */
    static String freeAddress() {
        return free().toString();
    }

    private static HostPort free() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new HostPort("127.0.0.1", socket.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
