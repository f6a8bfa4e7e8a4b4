package io.holdfast.cli;

import io.holdfast.client.Holder;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockInfo;
import io.holdfast.client.Revocation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast revoke}. */
@Command(
        name = "revoke",
        description = "Takes a lock from its holder, with notice. Without --yes only shows whose it is.",
        footer = {
            "",
            "The token is the precondition: a newer holder is never hit. The holder sees the notice in every answer about its"
                    + " hold; when the grace is over, the hold ends and the next in the queue gets the lock. There is no taking"
                    + " it back. That the holder has stopped is not sure: only the token tells its writes from the next"
                    + " holder's.",
            "With -o json: name, token, state (DRY_RUN, REVOKING or REVOKED), and holder unless it is over.",
            "Exit code: 0 revoked, or shown; 1 nobody holds it under that token.",
            "",
            "Examples:",
            "  holdfast revoke orders/42 --if-token 1376256 --reason 'host is being replaced'",
            "  holdfast revoke orders/42 --if-token 1376256 --reason 'host is being replaced' --grace 1m --yes"
        })
final class RevokeCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Option(
            names = "--if-token",
            required = true,
            paramLabel = "T",
            converter = Tokens.Converter.class,
            description = "The token of the hold that is to end.")
    private long token;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            defaultValue = "30s",
            converter = Durations.Converter.class,
            description = "How long the holder has to stop by itself, up to 24h (default: ${DEFAULT-VALUE}).")
    private Duration grace = Duration.ofSeconds(30);

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Why: the holder sees it, and the history keeps it. 1 to 512 bytes.")
    private String reason = "";

    @Option(names = "--by", paramLabel = "TEXT", description = "Who revokes it, shown to people (default: user@host).")
    private @Nullable String by;

    @Option(names = "--yes", description = "Do it.")
    private boolean isConfirmed;

    @Override
    public Exit call() throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            if (!isConfirmed) {
                return show(client.get(name, false));
            }
            String who = by == null ? Caller.label() : by;
            return switch (client.holds().revoke(name, token, grace, reason, who)) {
                case Revocation.Revoking it -> {
                    Duration left = it.holder()
                            .notice()
                            .map(notice -> notice.remaining())
                            .orElse(Duration.ZERO);
                    yield told(
                            "REVOKING",
                            Optional.of(it.holder()),
                            "is revoked; " + Words.name(it.holder()) + " has " + Durations.text(left) + " to stop");
                }
                case Revocation.Revoked it -> told("REVOKED", Optional.empty(), "is revoked");
                case Revocation.NotHeld no -> throw notHeld(no.holder().stream().toList());
            };
        }
    }

    private Exit show(Optional<LockInfo> lock) {
        List<Holder> holders = lock.map(LockInfo::holders).orElse(List.of());
        Holder holder =
                holders.stream().filter(it -> it.token() == token).findFirst().orElseThrow(() -> notHeld(holders));
        Exit shown = told("DRY_RUN", Optional.of(holder), "is held by " + Words.holding(holder));
        Printer.note("nothing was done; --yes revokes it, with a grace of " + Durations.text(grace));
        return shown;
    }

    private Failure notHeld(List<Holder> holders) {
        String others = holders.isEmpty() ? "nobody holds it" : "it is held by " + Words.holding(holders.get(0));
        return new Failure(Exit.NO, "NOT_HELD", "", name + " is not held under token " + token + "; " + others);
    }

    private Exit told(String state, Optional<Holder> holder, String text) {
        Printer.result(
                output.isJson()
                        ? Json.object(json -> {
                            json.writeStringField("name", name);
                            Json.number(json, "token", token);
                            json.writeStringField("state", state);
                            if (holder.isPresent()) {
                                json.writeFieldName("holder");
                                Json.holder(json, holder.get());
                            }
                        })
                        : name + " " + text);
        return Exit.YES;
    }
}
