package io.holdfast.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Owner;
import io.holdfast.client.ReleaseResult;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast release}. */
@Command(
        name = "release",
        description = "Releases a lock, some permits of a semaphore, or several locks at once.",
        footer = {
            "",
            "With -o json: name or names[], token, released (whether the hold is over), and of a semaphore permits (how"
                    + " many are left).",
            "Exit code: 0 released, 1 it was not held by that owner (under that token), or with fewer permits.",
            "",
            "Examples:",
            "  holdfast release orders/42 --owner worker-7",
            "  holdfast release orders/42 --owner worker-7 --token 1376256",
            "  holdfast release gpu --owner worker-7 --permits 1",
            "  holdfast release accounts/1 accounts/2 --owner transfer-7"
        })
final class ReleaseCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private OwnerOptions owner = new OwnerOptions();

    @Parameters(
            index = "0..*",
            arity = "1..*",
            paramLabel = "NAME",
            description = "The lock; or several, of which those that the owner does not hold make no difference.")
    private List<String> names = List.of();

    @Option(
            names = "--token",
            paramLabel = "N",
            converter = Tokens.Converter.class,
            description = "Release only the hold that has this token.")
    private @Nullable Long token;

    @Option(
            names = "--permits",
            paramLabel = "N",
            description = "Of a semaphore: give back so many permits and keep the others (default: all).")
    private @Nullable Integer permits;

    @Override
    public Exit call() throws InterruptedException {
        if (permits != null && names.size() > 1) {
            throw Failure.usage("permits", "--permits goes with one NAME only");
        }
        try (HoldfastClient client = cluster.client()) {
            return switch (release(client, owner.required())) {
                case ReleaseResult.Released it -> released(it.token());
                case ReleaseResult.PermitsReleased it -> permitsReleased(it);
                case ReleaseResult.NotHeld no -> throw no("NOT_HELD", Words.notHeld(shown(), no.holder()));
                case ReleaseResult.FewerPermits no ->
                    throw no("FEWER_PERMITS", shown() + " is held with " + no.held() + " permits only");
                case ReleaseResult.NoSemaphore no -> throw no("OTHER_KIND", shown() + " is a lock and no semaphore");
            };
        }
    }

    private ReleaseResult release(HoldfastClient client, Owner whose) throws InterruptedException {
        OptionalLong only = token == null ? OptionalLong.empty() : OptionalLong.of(token);
        if (names.size() > 1) {
            return client.releaseAll(names, whose, only);
        }
        return permits == null
                ? client.release(names.get(0), whose, only)
                : client.releasePermits(names.get(0), whose, only, permits);
    }

    private String shown() {
        return names.size() == 1 ? names.get(0) : "each of " + String.join(", ", names);
    }

    private static Failure no(String reason, String message) {
        return new Failure(Exit.NO, reason, "", message);
    }

    private Exit released(long released) {
        Printer.result(
                output.isJson()
                        ? Json.object(json -> {
                            names(json);
                            Json.number(json, "token", released);
                            json.writeBooleanField("released", true);
                        })
                        : String.join(", ", names) + " released (token " + released + ")");
        return Exit.YES;
    }

    private void names(JsonGenerator json) throws IOException {
        if (names.size() == 1) {
            json.writeStringField("name", names.get(0));
            return;
        }
        json.writeArrayFieldStart("names");
        for (String name : names) {
            json.writeString(name);
        }
        json.writeEndArray();
    }

    private Exit permitsReleased(ReleaseResult.PermitsReleased some) {
        int left = some.hold().map(hold -> Words.permits(hold.terms().mode())).orElse(0);
        Printer.result(
                output.isJson()
                        ? Json.object(json -> {
                            names(json);
                            Json.number(json, "token", some.token());
                            json.writeBooleanField("released", left == 0);
                            json.writeNumberField("permits", left);
                        })
                        : shown() + " gave back " + permits + " permits and holds " + left + " (token " + some.token()
                                + ")");
        return Exit.YES;
    }
}
