package io.holdfast.cli.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a node's process is started: this JVM's java, directly, with a server's options.
 *
 * @param session words that give it a session of its own
 * @param java the executable
 * @param options of the JVM
 * @param classPath absolute; goes by the environment, to keep the command line short enough to be read
 */
record NodeCommand(List<String> session, Path java, List<String> options, String classPath) {
    /** What the launcher starts {@code server} with; it tells us, so that both are the same. */
    private static final String OPTIONS_PROPERTY = "holdfast.server.options";

    private static final String USUAL_OPTIONS =
            "-Xmx512m -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED";

    static NodeCommand likeThisJvm() {
        return new NodeCommand(
                Executables.ownSession()
                        .or(() -> Executables.find("nohup").map(path -> List.of(path.toString())))
                        .orElse(List.of()),
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Arrays.asList(Optional.ofNullable(System.getProperty(OPTIONS_PROPERTY))
                        .orElse(USUAL_OPTIONS)
                        .strip()
                        .split("\\s+", -1)),
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .collect(Collectors.joining(File.pathSeparator)));
    }

    List<String> words(Path config) {
        List<String> words = new ArrayList<>(session);
        words.add(java.toString());
        words.addAll(options);
        words.addAll(List.of("io.holdfast.cli.Main", "server", "--config", config.toString()));
        return words;
    }
}
