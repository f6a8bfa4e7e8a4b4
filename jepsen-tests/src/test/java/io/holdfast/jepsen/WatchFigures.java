package io.holdfast.jepsen;

import io.holdfast.jepsen.process.JavaCommand;
import io.holdfast.jepsen.process.RealCluster;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Not a test: what ten thousand watchers cost, on real nodes. {@code build-tools/measure-watch} runs it. */
class WatchFigures {
    private static final int WATCHERS = Integer.getInteger("holdfast.watchers", 10_000);
    private static final String RATES = System.getProperty("holdfast.rates", "100,300,1000");
    private static final Duration SPAN = Duration.ofSeconds(Integer.getInteger("holdfast.seconds", 30));

    @TempDir
    Path folder;

    @Test
    void ten_thousand_watchers_of_one_prefix() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder, 3, JavaCommand.likeThisJvm())) {
            for (String rate : RATES.split(",", -1)) {
                var run = new CrowdRun(WATCHERS, 0, 100, Integer.parseInt(rate), SPAN);
                System.out.println(run);
                run.on(cluster).forEach(System.out::println);
            }
        }
    }
}
