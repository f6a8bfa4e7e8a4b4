package io.holdfast.cli;

import io.holdfast.client.Owner;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a lock, or several as one, are asked for. */
final class AskOptions {
    @Mixin
    private OwnerOptions owner = new OwnerOptions();

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = Durations.Converter.class,
            description = "How long the lease lasts, 100ms to 24h (default: ${DEFAULT-VALUE}). A session has its own.")
    private Duration ttl = Duration.ofSeconds(10);

    @Option(
            names = "--wait",
            paramLabel = "0|DURATION|forever",
            defaultValue = "0",
            converter = Durations.WaitConverter.class,
            description = "How long to wait in the queue (default: ${DEFAULT-VALUE}, only try).")
    private Duration wait = Duration.ZERO;

    @Option(
            names = "--request",
            paramLabel = "ID",
            description = "Makes a repeated call recognisable: the same 32 hexadecimal digits, the same grant.")
    private @Nullable String request;

    @Option(names = "--label", paramLabel = "TEXT", description = "Who asks, shown to people (default: user@host).")
    private @Nullable String label;

    Owner owner() {
        return owner.owner().orElseGet(Owner::random);
    }

    Duration ttl() {
        return ttl;
    }

    Duration patience() {
        return wait;
    }

    Optional<String> request() {
        return Optional.ofNullable(request);
    }

    String label() {
        return label == null ? Caller.label() : label;
    }
}
