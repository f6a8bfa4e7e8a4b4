package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.acquire;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.LockName;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Data folders that earlier versions have left. Their zips are never edited: such folders lie on people's disks. */
class DataFolderVersionsTest {
    @TempDir
    Path folder;

    @Test
    void the_data_folder_of_version_0_1_is_read_for_ever() throws Exception {
        try (InputStream zip = resource("data-folder-0.1.zip")) {
            DataFolderFixture.unzip(zip, folder.resolve("n1"));
        }
        String state = new String(resource("data-folder-0.1.state").readAllBytes(), StandardCharsets.UTF_8).strip();

        try (Replicas replicas = Replicas.start(folder, 1)) {
            assertThat(replicas.leader().state()).isEqualTo(state);
            assertThat(replicas.leader().tokenOf("held/after-the-snapshot")).isPresent();
            assertThat(replicas.leader().tokenOf("held/0")).isEmpty();
            assertThat(replicas.leader()
                            .machine()
                            .<Integer>read(table -> table.lock(new LockName("held/3"), 10)
                                    .orElseThrow()
                                    .waiters()
                                    .size()))
                    .isEqualTo(1);
            long last = replicas.leader()
                    .tokenOf("held/after-the-snapshot")
                    .orElseThrow()
                    .value();

            replicas.commit(acquire("new", "owner"));

            assertThat(replicas.leader().tokenOf("new").orElseThrow().value()).isGreaterThan(last);
        }
    }

    /** To be run once for a new version that writes something new: {@code -Dholdfast.fixture=data-folder-VERSION}. */
    @Test
    @EnabledIfSystemProperty(named = "holdfast.fixture", matches = ".+")
    void write_the_data_folder_of_this_version() throws Exception {
        Path zip = Path.of("src/test/resources", System.getProperty("holdfast.fixture") + ".zip");
        String state = DataFolderFixture.write(folder, zip);
        Files.writeString(zip.resolveSibling(System.getProperty("holdfast.fixture") + ".state"), state + "\n");
    }

    private static InputStream resource(String name) {
        return Objects.requireNonNull(DataFolderVersionsTest.class.getResourceAsStream("/" + name), name);
    }
}
