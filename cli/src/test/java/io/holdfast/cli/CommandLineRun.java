package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A command, run as a process of its own, and how it ended.
 *
 * @param code its exit code
 * @param out all of its stdout
 * @param err all of its stderr
 */
record CommandLineRun(int code, String out, String err) {
    /** Runs a command of {@code holdfast} with the class path of this test, but without a log, as the launcher does. Its output must fit into a pipe. */
    static CommandLineRun of(String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xlog:disable",
                "-Dslf4j.internal.verbosity=ERROR",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                withoutLog(System.getProperty("java.class.path")),
                Main.class.getName()));
        line.addAll(List.of(arguments));
        if (Runtime.version().feature() >= 23) {
            line.add(1, "--sun-misc-unsafe-memory-access=allow"); // as the launcher does: Netty's way of old
        }
        Process process = new ProcessBuilder(line).start();
        process.getOutputStream().close();
        int code = process.waitFor();
        return new CommandLineRun(
                code,
                new String(process.getInputStream().readAllBytes(), UTF_8),
                new String(process.getErrorStream().readAllBytes(), UTF_8));
    }

    private static String withoutLog(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .filter(entry -> !String.valueOf(Path.of(entry).getFileName()).startsWith("logback-"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
