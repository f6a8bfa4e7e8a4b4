package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.TokenCheck;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast check}. */
@Command(
        name = "check",
        description = "Tells whether a fencing token still counts.",
        footer = {
            "",
            "CURRENT: a live hold has it. STALE: others hold the lock, with greater tokens. FREE: nobody holds it. It was so"
                    + " when the store answered; a resource that can compare tokens should do that instead.",
            "With -o json: name, token, result, and newestToken if it is stale, or holder if it is current.",
            "Exit code: 0 current, 1 stale or free.",
            "",
            "Examples:",
            "  holdfast check orders/42 1376256",
            "  holdfast check orders/42 $HOLDFAST_TOKEN && ./write.sh"
        })
final class CheckCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Parameters(
            index = "1",
            paramLabel = "TOKEN",
            converter = Tokens.Converter.class,
            description = "The fencing token.")
    private long token;

    @Override
    public Exit call() throws InterruptedException {
        try (HoldfastClient client = cluster.client()) {
            TokenCheck check = client.check(name, token);
            Printer.result(output.isJson() ? json(check) : text(check));
            return check instanceof TokenCheck.Current ? Exit.YES : Exit.NO;
        }
    }

    private static String text(TokenCheck check) {
        return switch (check) {
            case TokenCheck.Current it -> "CURRENT  " + Words.holding(it.holder());
            case TokenCheck.Stale it -> "STALE  the newest token is " + it.newestToken();
            case TokenCheck.Free it -> "FREE  nobody holds it";
        };
    }

    private String json(TokenCheck check) {
        return Json.object(json -> {
            json.writeStringField("name", name);
            Json.number(json, "token", token);
            switch (check) {
                case TokenCheck.Current it -> {
                    json.writeStringField("result", "CURRENT");
                    json.writeFieldName("holder");
                    Json.holder(json, it.holder());
                }
                case TokenCheck.Stale it -> {
                    json.writeStringField("result", "STALE");
                    Json.number(json, "newestToken", it.newestToken());
                }
                case TokenCheck.Free it -> json.writeStringField("result", "FREE");
            }
        });
    }
}
