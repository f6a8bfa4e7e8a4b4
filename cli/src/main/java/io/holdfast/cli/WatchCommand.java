package io.holdfast.cli;

import io.holdfast.client.EventStream;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockEvent;
import io.holdfast.client.WatchRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast watch}. */
@Command(
        name = "watch",
        description = {
            "Shows what happens to locks, as it happens: each event once, in log order, whatever nodes die.",
            "Without a prefix: to all locks, and to sessions."
        },
        footer = {
            "",
            "Runs until it is stopped (Ctrl-C). Exit code: 0 --count was reached, 1 the events from --from on are no"
                    + " longer known (TOO_OLD).",
            "",
            "Examples:",
            "  holdfast watch",
            "  holdfast watch orders/ -o json",
            "  holdfast watch orders/42 --exact --from 1234",
            "  holdfast watch jobs/nightly --exact --count 1    # wait for the next event"
        })
final class WatchCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PREFIX",
            defaultValue = "",
            description = "Only locks whose names begin with this, byte for byte.")
    private String prefix = "";

    @Option(names = "--exact", description = "PREFIX is the whole name of one lock.")
    private boolean isExact;

    @Option(
            names = "--from",
            paramLabel = "INDEX",
            defaultValue = "0",
            description = "Begin with this log index, past or to come (default: with what happens from now on).")
    private long from;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many events (default: never).")
    private long count;

    @Override
    public Exit call() throws InterruptedException {
        if (isExact && prefix.isEmpty()) {
            throw Failure.usage("PREFIX", "--exact needs the name of a lock");
        }
        if (count < 0) {
            throw Failure.usage("--count", "--count is " + count + "; it must be 0 or more");
        }
        WatchRequest request = new WatchRequest(prefix, !isExact, from);
        try (HoldfastClient client = cluster.client();
                EventStream events = client.watches().events(request, Printer::note)) {
            events.begin();
            if (Printer.isWatched()) {
                Printer.note("watching; Ctrl-C ends it");
            }
            return show(events);
        } catch (HoldfastException.TooOld e) {
            throw new Failure(
                    Exit.NO,
                    "TOO_OLD",
                    "--from",
                    e.getMessage() + "; begin with --from " + e.firstIndex() + ", or look with 'list' and then watch");
        }
    }

    private Exit show(EventStream events) throws InterruptedException {
        for (long shown = 1; ; shown++) {
            LockEvent event = events.next();
            Printer.result(output.isJson() ? EventText.json(event) : EventText.line(event));
            // Whoever read our output has gone; there is nobody to show more to.
            if (shown == count || Printer.out().checkError()) {
                return Exit.YES;
            }
        }
    }
}
