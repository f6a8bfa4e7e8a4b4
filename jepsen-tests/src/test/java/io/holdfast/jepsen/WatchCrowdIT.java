package io.holdfast.jepsen;

import io.holdfast.jepsen.process.JavaCommand;
import io.holdfast.jepsen.process.RealCluster;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many watchers, few of which take nothing; small, for every build. {@code build-tools/measure-watch} does it with ten thousand. */
@Tag("faults")
class WatchCrowdIT {
    private static final String SMALL_BUFFER = "watch:\n  buffer-events: 4000\n";

    @TempDir
    Path folder;

    @Test
    void each_is_told_each_event_once_in_order_and_who_takes_nothing_is_cut_off() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder, 3, JavaCommand.likeThisJvm(), SMALL_BUFFER)) {
            var run = new CrowdRun(300, 20, 100, 1_000, Duration.ofSeconds(10));
            run.on(cluster).forEach(System.out::println);
        }
    }
}
