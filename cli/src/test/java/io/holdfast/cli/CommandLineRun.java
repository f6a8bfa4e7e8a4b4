package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A command, run as a process of its own, and how it ended.
 *
 * @param code its exit code
 * @param out all of its stdout
 * @param err all of its stderr
 */
record CommandLineRun(int code, String out, String err) {
    private static final Pattern SERVER = Pattern.compile("/(lock-server|lock-core|ratis-|rocksdbjni|logback-)");

    /** Runs a command of {@code holdfast} with the class path of this test, but without a log, as the launcher does. Its output must fit into a pipe. */
    static CommandLineRun of(String... arguments) throws IOException, InterruptedException {
        return run(entry -> !name(entry).startsWith("logback-"), arguments);
    }

    /** Runs it without the server's classes, as the launcher runs the everyday commands. */
    static CommandLineRun withoutServer(String... arguments) throws IOException, InterruptedException {
        return run(entry -> !SERVER.matcher(entry).find(), arguments);
    }

    /** Starts a command that goes on for a while. */
    static Process start(String... arguments) throws IOException {
        return start(entry -> !name(entry).startsWith("logback-"), arguments);
    }

    private static CommandLineRun run(Predicate<String> isNeeded, String... arguments)
            throws IOException, InterruptedException {
        Process process = start(isNeeded, arguments);
        process.getOutputStream().close();
        int code = process.waitFor();
        return new CommandLineRun(
                code,
                new String(process.getInputStream().readAllBytes(), UTF_8),
                new String(process.getErrorStream().readAllBytes(), UTF_8));
    }

    private static Process start(Predicate<String> isNeeded, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xlog:disable",
                "-Dslf4j.internal.verbosity=ERROR",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(isNeeded),
                Main.class.getName()));
        line.addAll(List.of(arguments));
        if (Runtime.version().feature() >= 23) {
            line.add(1, "--sun-misc-unsafe-memory-access=allow"); // as the launcher does: Netty's way of old
        }
        return new ProcessBuilder(line).start();
    }

    private static String classPath(Predicate<String> isNeeded) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(isNeeded)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String name(String entry) {
        return String.valueOf(Path.of(entry).getFileName());
    }
}
