package io.holdfast.jepsen.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes what {@code holdfast server --config} reads. All but addresses, folder and what is given is left at its default. */
final class NodeConfigFile {
    private NodeConfigFile() {}

    static void write(Path file, NodeAddress self, List<NodeAddress> all, Path data, String settings) {
        StringBuilder yaml = new StringBuilder();
        yaml.append("cluster: harness\n");
        yaml.append("node: ").append(self.id()).append('\n');
        yaml.append("data: ").append(data).append('\n');
        yaml.append("members:\n");
        for (NodeAddress node : all) {
            yaml.append("  - id: ").append(node.id()).append('\n');
            yaml.append("    client: ").append(node.endpoint()).append('\n');
            yaml.append("    raft: ").append(node.raftAddress()).append('\n');
        }
        yaml.append(settings);
        try {
            Files.writeString(file, yaml);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
