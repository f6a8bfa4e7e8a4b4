package io.holdfast.server.config;

import java.nio.file.Path;
import java.util.List;

/** Writes the configuration of a node that takes every default. */
public final class ConfigText {
    private ConfigText() {}

    /**
     * Writes a configuration file's text.
     *
     * @param cluster name of the cluster
     * @param node id of the node
     * @param data folder for all that the node keeps; a relative one is relative to the file's
     * @param members the members of the cluster, the node among them
     * @return YAML that {@link ConfigFile} reads
     */
    public static String of(String cluster, String node, Path data, List<MemberConfig> members) {
        StringBuilder text = new StringBuilder();
        text.append("cluster: ").append(quoted(cluster)).append('\n');
        text.append("node: ").append(quoted(node)).append('\n');
        text.append("data: ").append(quoted(data.toString())).append('\n');
        text.append("members:\n");
        for (MemberConfig member : members) {
            text.append("  - id: ").append(quoted(member.id())).append('\n');
            text.append("    client: ")
                    .append(quoted(member.client().toString()))
                    .append('\n');
            text.append("    raft: ").append(quoted(member.raft().toString())).append('\n');
        }
        return text.toString();
    }

    /** Single quotes: nothing in them has a meaning but the quote itself. */
    private static String quoted(String value) {
        return "'" + value.replace("'", "''") + "'";
    }
}
