package io.holdfast.server.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.9Z");

    @TempDir
    Path root;

    @Test
    void a_new_folder_is_its_nodes_alone_for_ever() throws Exception {
        Path data = root.resolve("new").resolve("data");
        ServerConfig config = TestNode.config(root, "n1", data);

        DataFolder.open(config).close();
        DataFolder.open(config).close();

        assertThat(Files.getPosixFilePermissions(data)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(data.resolve("identity")).hasContent("format=1\ncluster=test\nnode=n1\n");
        assertThatThrownBy(() -> DataFolder.open(TestNode.config(root, "n2", data)))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("n2.yaml: node is n2, but data folder " + data + " belongs to node n1");
    }

    @Test
    void a_folder_has_one_process_at_a_time() throws Exception {
        ServerConfig config = TestNode.config(root, "n1", root.resolve("data"));
        DataFolder open = DataFolder.open(config);

        assertThatThrownBy(() -> DataFolder.open(config)).hasMessageContaining("is in use by another process");
        assertThatThrownBy(() -> DataFolder.moveAside(config, NOON))
                .hasMessageContaining("is in use by another process");

        open.close();
        DataFolder.open(config).close();
    }

    @Test
    void a_folder_with_something_else_in_it_is_refused_and_left_alone() throws Exception {
        Path data = Files.createDirectory(root.resolve("data"));
        Files.writeString(data.resolve("thesis.txt"), "chapter 1", UTF_8);
        ServerConfig config = TestNode.config(root, "n1", data);

        assertThatThrownBy(() -> DataFolder.open(config))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(
                        "data is " + data + ", which is not empty, and not the data folder of a node: it holds"
                                + " thesis.txt; name an empty or a new one");
        assertThatThrownBy(() -> DataFolder.moveAside(config, NOON))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("is not the data folder of a node: it has no file named identity");

        assertThat(data.resolve("thesis.txt")).hasContent("chapter 1");
        assertThat(data.resolve("identity")).doesNotExist();
    }

    @Test
    void a_first_start_that_was_cut_off_is_made_up_for() throws Exception {
        Path data = Files.createDirectory(root.resolve("data"));
        Files.createFile(data.resolve("lock"));
        Files.writeString(data.resolve("identity.new"), "format=", UTF_8);
        Files.createDirectory(data.resolve("lost+found"));

        DataFolder.open(TestNode.config(root, "n1", data)).close();

        assertThat(data.resolve("identity")).content().contains("node=n1");
    }

    @Test
    void old_data_is_moved_aside_whole() throws Exception {
        Path data = root.resolve("data");
        ServerConfig config = TestNode.config(root, "n1", data);
        DataFolder.open(config).close();
        Files.writeString(data.resolve("log_1"), "entries", UTF_8);

        Optional<Path> aside = DataFolder.moveAside(config, NOON);

        assertThat(aside).hasValue(root.resolve("data.aside-20260301T120000Z"));
        assertThat(aside.orElseThrow().resolve("log_1")).hasContent("entries");
        assertThat(data).doesNotExist();
        DataFolder.open(config).close();
    }

    @Test
    void what_is_not_there_or_not_ours_is_not_moved_aside() throws Exception {
        Path data = root.resolve("data");
        ServerConfig config = TestNode.config(root, "n1", data);
        assertThat(DataFolder.moveAside(config, NOON)).isEmpty();
        Files.createDirectory(data);
        assertThat(DataFolder.moveAside(config, NOON)).isEmpty();

        DataFolder.open(TestNode.config(root, "n2", data)).close();

        assertThatThrownBy(() -> DataFolder.moveAside(config, NOON)).hasMessageContaining("belongs to node n2");
        assertThat(data.resolve("identity")).exists();
    }

    @Test
    void nothing_that_was_moved_aside_before_is_replaced() throws Exception {
        ServerConfig config = TestNode.config(root, "n1", root.resolve("data"));
        DataFolder.open(config).close();
        Path before = DataFolder.moveAside(config, NOON).orElseThrow();
        DataFolder.open(config).close();

        assertThatThrownBy(() -> DataFolder.moveAside(config, NOON))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("cannot be moved aside: ");

        assertThat(before.resolve("identity")).exists();
        assertThat(config.data().resolve("identity")).exists();
    }

    @Test
    void a_folder_of_a_newer_format_is_refused_with_both() throws IOException {
        Path data = Files.createDirectory(root.resolve("data"));
        Files.writeString(data.resolve("identity"), "format=2\ncluster=test\nnode=n1\n", UTF_8);

        assertThatThrownBy(() -> DataFolder.open(TestNode.config(root, "n1", data)))
                .hasMessageContaining("has format 2; this version of Holdfast reads format 1");
    }
}
