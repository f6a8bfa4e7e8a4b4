package io.holdfast.cli;

import io.holdfast.client.Owner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** In whose name. */
final class OwnerOptions {
    @Option(
            names = "--owner",
            paramLabel = "ID",
            description = "Owner of a one-shot lease: 1 to 256 bytes. Two processes must not share one.")
    private @Nullable String owner;

    @Option(names = "--session", paramLabel = "ID", description = "A session: 32 hexadecimal digits.")
    private @Nullable String session;

    Optional<Owner> owner() {
        if (owner != null && session != null) {
            throw Failure.usage("owner", "--owner and --session are given; it must be one of them");
        }
        if (session != null) {
            return Optional.of(new Owner.Session(session));
        }
        return Optional.ofNullable(owner).map(Owner.OneShot::new);
    }

    Owner required() {
        return owner().orElseThrow(
                        () -> Failure.usage("owner", "neither --owner nor --session is given; one is needed"));
    }
}
