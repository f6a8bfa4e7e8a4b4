package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that talks to a cluster. */
final class ClientOptions {
    @Option(
            names = "--endpoints",
            paramLabel = "HOST:PORT,…",
            description = "Nodes to ask first; the others are learnt from them. Default: $HOLDFAST_ENDPOINTS, or the"
                    + " cluster that 'holdfast up' started on this machine.")
    private @Nullable String endpoints;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = Durations.Converter.class,
            description = "How long to look for a leader (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(10);

    HoldfastClient client() {
        return HoldfastClient.builder().endpoints(endpoints()).timeout(timeout).build();
    }

    private List<String> endpoints() {
        String given = Optional.ofNullable(endpoints)
                .or(() ->
                        Optional.ofNullable(System.getenv("HOLDFAST_ENDPOINTS")).filter(text -> !text.isBlank()))
                .orElseGet(ClientOptions::local);
        return Arrays.stream(given.split(",")).map(String::strip).toList();
    }

    /** Where {@code up} leaves the endpoints of the cluster on this machine. */
    static Path localEndpoints() {
        return Path.of(System.getProperty("user.home"), ".holdfast", "local", "endpoints");
    }

    private static String local() {
        Path file = localEndpoints();
        try {
            if (Files.exists(file)) {
                return Files.readString(file).strip();
            }
        } catch (IOException e) {
            throw Failure.usage("endpoints", "cannot read " + file + ": " + e.getMessage());
        }
        throw Failure.usage(
                "endpoints",
                "no cluster is named and none was started here: give --endpoints HOST:PORT or HOLDFAST_ENDPOINTS, or"
                        + " start one with 'holdfast up'");
    }
}
