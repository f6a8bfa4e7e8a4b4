package io.holdfast.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Where output goes: results to stdout, everything else to stderr, always in UTF-8. */
final class Printer {
    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private static final PrintStream ERR =
            new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

    private Printer() {}

    static PrintStream out() {
        return OUT;
    }

    static PrintStream err() {
        return ERR;
    }

    /** A result. */
    static void result(String text) {
        OUT.println(text);
    }

    /** What a person may want to know, and a script does not. */
    static void note(String text) {
        ERR.println(text);
    }

    /** Whether a person watches: both ends are a terminal. A note to a pipe or file would be noise. */
    @SuppressWarnings("SystemConsoleNull") // the property below makes it null again
    static boolean isWatched() {
        // From JDK 22 on the default console exists without a terminal too; this one does not.
        System.setProperty("jdk.console", "java.base");
        return System.console() != null;
    }
}
