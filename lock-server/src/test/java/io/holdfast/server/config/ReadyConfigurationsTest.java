package io.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files in {@code config/} at the project's root. */
class ReadyConfigurationsTest {
    private static final Path CONFIG = Path.of("..", "config");

    @Test
    void the_reference_says_nothing_but_defaults(@TempDir Path folder) throws Exception {
        ServerConfig config = ConfigFile.load(CONFIG.resolve("holdfast.yaml"));
        Path minimal = folder.resolve("minimal.yaml");
        Files.writeString(minimal, ConfigText.of(config.cluster(), "n1", config.data(), config.members()));

        assertThat(config).usingRecursiveComparison().ignoringFields("file").isEqualTo(ConfigFile.load(minimal));
    }

    @Test
    void the_reference_tells_default_and_range_of_every_key() throws Exception {
        String text = Files.readString(CONFIG.resolve("holdfast.yaml"));

        for (Key<?> key : Keys.TOP) {
            String comment = commentOf(key.name(), text);
            assertThat(comment).as(key.name()).contains(key.limit().replace("a folder", "Folder"));
            if (!key.defaultText().isEmpty()) {
                assertThat(comment).as(key.name()).contains("Default: " + key.defaultText() + ".");
            }
        }
    }

    /** The comment right above a key, in one line. */
    private static String commentOf(String key, String text) {
        int dot = key.indexOf('.');
        int group = dot < 0 ? 0 : text.indexOf("\n" + key.substring(0, dot) + ":");
        int at = text.indexOf("\n" + (dot < 0 ? "" : "  ") + key.substring(dot + 1) + ":", group);
        assertThat(at).as(key).isPositive();
        StringBuilder comment = new StringBuilder();
        for (String line : text.substring(0, at).lines().toList()) {
            String trimmed = line.strip();
            if (trimmed.startsWith("#")) {
                comment.append(trimmed.substring(1));
            } else {
                comment.setLength(0);
            }
        }
        return comment.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"n1", "n2", "n3"})
    void three_nodes_on_one_machine_agree_about_the_members(String node) throws Exception {
        ServerConfig config = ConfigFile.load(CONFIG.resolve("one-machine").resolve(node + ".yaml"));
        ServerConfig first = ConfigFile.load(CONFIG.resolve("one-machine").resolve("n1.yaml"));

        assertThat(config.node()).isEqualTo(node);
        assertThat(config.cluster()).isEqualTo(first.cluster());
        assertThat(config.members()).isEqualTo(first.members());
    }
}
