package io.holdfast.cli;

import io.holdfast.client.Mode;
import io.holdfast.client.Terms;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** On which terms a lock is asked for. */
final class TermsOptions {
    @Option(names = "--shared", description = "Share the lock with any number of others who share it too.")
    private boolean isShared;

    @Option(
            names = "--permits",
            paramLabel = "N",
            description = "Take N permits of a semaphore, 1 to the capacity; with --capacity.")
    private @Nullable Integer permits;

    @Option(
            names = "--capacity",
            paramLabel = "M",
            description = "How many permits the semaphore has in all, 1 to 1000000. Everybody must say the same.")
    private @Nullable Integer capacity;

    @Option(
            names = "--value",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Published with the hold and shown to everybody: up to 4096 bytes.")
    private String value = "";

    @Option(
            names = "--lock-delay",
            paramLabel = "DURATION",
            defaultValue = "0s",
            converter = Durations.Converter.class,
            description =
                    "How long nobody gets the lock after this hold has expired, up to 1h; not after a release. For"
                            + " resources that cannot refuse an old token.")
    private Duration lockDelay = Duration.ZERO;

    Terms terms() {
        return new Terms(mode(), value, lockDelay);
    }

    private Mode mode() {
        if (permits == null && capacity == null) {
            return isShared ? Mode.SHARED : Mode.EXCLUSIVE;
        }
        if (isShared) {
            throw Failure.usage("shared", "--shared does not go with --permits and --capacity");
        }
        if (capacity == null) {
            throw Failure.usage("capacity", "--capacity is missing; it goes with --permits");
        }
        return new Mode.Permits(permits == null ? 1 : permits, capacity);
    }
}
