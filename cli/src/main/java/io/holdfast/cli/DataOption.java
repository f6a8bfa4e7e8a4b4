package io.holdfast.cli;

import io.holdfast.cli.process.ProcessException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the cluster of {@code up} and {@code down} is. */
final class DataOption {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder of the cluster (default: ~/.holdfast/local, where other commands look for it).")
    private @Nullable Path folder;

    Path folder() {
        return Objects.requireNonNullElseGet(folder, DataOption::usual);
    }

    boolean isUsual() {
        return folder().toAbsolutePath()
                .normalize()
                .equals(usual().toAbsolutePath().normalize());
    }

    private static Path usual() {
        return Objects.requireNonNull(ClientOptions.localEndpoints().getParent(), "endpoints lie in a folder");
    }

    Failure failure(ProcessException e) {
        String message = Objects.requireNonNullElse(e.getMessage(), "no reason given");
        return switch (e.kind()) {
            case USAGE -> Failure.usage(e.field(), message);
            case NO_LEADER -> new Failure(Exit.UNAVAILABLE, "UNAVAILABLE", e.field(), message);
            case FAILED -> new Failure(Exit.INTERNAL, "NODE_FAILED", e.field(), message);
        };
    }
}
