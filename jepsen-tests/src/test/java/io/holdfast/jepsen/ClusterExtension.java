package io.holdfast.jepsen;

import io.holdfast.jepsen.process.JavaCommand;
import io.holdfast.jepsen.process.RealCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test three real nodes in good health.
 *
 * <p>All tests of a run share them, since a start costs seconds, and since a cluster that has lived through much shows more than a fresh one. Tests use lock names of their own. A test that fails gets the blame: its cluster is set aside, with folder and logs, and the next test starts another.
 */
public final class ClusterExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(ClusterExtension.class);
    private static final int NODES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(50);

    @Override
    public void beforeEach(ExtensionContext context) {
        // Conditions are met at once, or after an election; a busy machine takes its time.
        Awaitility.setDefaultTimeout(PATIENCE);
        Awaitility.setDefaultPollInterval(POLL);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        shared(context).healthy();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Shared shared = shared(context);
        List<String> complaints = shared.complaints();
        if (context.getExecutionException().isPresent()) {
            System.err.println(shared.setAside());
        } else if (!complaints.isEmpty()) {
            throw new AssertionError(String.join("\n", complaints) + "\n" + shared.setAside());
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RealCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return shared(context).healthy();
    }

    private static Shared shared(ExtensionContext context) {
        Store store = context.getRoot().getStore(NAMESPACE);
        return store.getOrComputeIfAbsent(Shared.class, key -> new Shared(), Shared.class);
    }

    /** JUnit closes it when the last test has run. */
    private static final class Shared implements AutoCloseable {
        private final Path folder = Path.of(
                        "target",
                        "clusters",
                        "run-" + System.currentTimeMillis() + "-"
                                + ProcessHandle.current().pid())
                .toAbsolutePath();
        private Optional<RealCluster> present = Optional.empty();
        private int started;

        RealCluster healthy() {
            RealCluster cluster = present.orElseGet(
                    () -> RealCluster.start(folder.resolve("cluster-" + ++started), NODES, JavaCommand.likeThisJvm()));
            present = Optional.of(cluster);
            cluster.heal();
            return cluster;
        }

        List<String> complaints() {
            return present.map(RealCluster::complaints).orElse(List.of());
        }

        String setAside() {
            String report = present.map(RealCluster::report).orElse("no cluster");
            present.ifPresent(RealCluster::keepFolder);
            close();
            present = Optional.empty();
            return report;
        }

        @Override
        public void close() {
            present.ifPresent(RealCluster::close);
        }
    }
}
