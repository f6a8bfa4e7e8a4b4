package io.holdfast.cli;

import io.holdfast.client.Holder;

/** Tells a person at a terminal whom a command waits for, once for each holder. */
final class WaitingLine {
    private final String name;
    private long shownToken;

    WaitingLine(String name) {
        this.name = name;
    }

    void show(Holder holder) {
        if (holder.token() != shownToken && Printer.isWatched()) {
            shownToken = holder.token();
            Printer.note("waiting for " + name + ", held by " + Words.holding(holder));
        }
    }
}
