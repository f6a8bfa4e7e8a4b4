package io.holdfast.jepsen;

import io.holdfast.jepsen.process.ClassArchive;
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
 * <p>There are two such clusters, shared by all tests of a run, since a start costs seconds, and since a cluster that has lived through much shows more than a fresh one. Tests use lock names of their own. A test that fails gets the blame: its cluster is set aside, with folder and logs, and the next test starts another.
 */
public final class ClusterExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(ClusterExtension.class);
    private static final int NODES = 3;
    private static final int CLUSTERS = 2;
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

    /** {@return which of the clusters the tests of this class run on} */
    static String clusterOf(Class<?> test) {
        return Math.floorMod(test.getName().hashCode(), CLUSTERS) == 0 ? "a" : "b";
    }

    private static Shared shared(ExtensionContext context) {
        Store store = context.getRoot().getStore(NAMESPACE);
        return store.getOrComputeIfAbsent(clusterOf(context.getRequiredTestClass()), Shared::new, Shared.class);
    }

    /** JUnit closes it when the last test has run. */
    private static final class Shared implements AutoCloseable {
        private final Path folder;
        private Optional<RealCluster> present = Optional.empty();
        private int started;

        Shared(String name) {
            String run = "run-" + System.currentTimeMillis() + "-"
                    + ProcessHandle.current().pid();
            folder = Path.of("target", "clusters", run, name).toAbsolutePath();
        }

        RealCluster healthy() {
            RealCluster cluster = present.orElseGet(
                    () -> RealCluster.start(folder.resolve("cluster-" + ++started), NODES, ClassArchive.quickJava()));
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
