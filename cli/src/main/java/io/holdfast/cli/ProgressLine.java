package io.holdfast.cli;

import io.holdfast.client.ClusterAdmin;

/** One line that says how a backup comes along, for a person at a terminal; nothing anywhere else. */
final class ProgressLine implements ClusterAdmin.Progress {
    private static final long PAUSE_NANOS = 200_000_000;
    private static final String ERASED = "\r" + " ".repeat(60) + "\r";

    private final boolean isWatched = Printer.isWatched();
    private long shownAt = System.nanoTime();
    private boolean isShown;

    @Override
    public void received(long bytes, long contentBytes) {
        long now = System.nanoTime();
        if (isWatched && now - shownAt > PAUSE_NANOS) {
            shownAt = now;
            isShown = true;
            Printer.err().print(ERASED + Bytes.text(bytes) + " of at most " + Bytes.text(contentBytes));
            Printer.err().flush();
        }
    }

    /** Leaves the line clean for what comes next. */
    void end() {
        if (isShown) {
            Printer.err().print(ERASED);
            Printer.err().flush();
        }
    }
}
