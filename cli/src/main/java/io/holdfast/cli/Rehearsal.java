package io.holdfast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Runs the everyday commands once, so that the JVM sees which classes they use: the launcher makes its class archive from that.
 *
 * <p>Works on a lock of its own, and leaves nothing held.
 */
final class Rehearsal {
    private static final String DATA = "--data";

    private Rehearsal() {}

    /**
     * Rehearses on a cluster that is up.
     *
     * @param up the arguments of the {@code up} that started it: they say where it is
     * @throws IOException if it is not known where the cluster is
     */
    public static void main(String[] up) throws IOException {
        String endpoints =
                Files.readString(folder(Arrays.asList(up)).resolve("endpoints")).strip();
        String name = "holdfast/rehearsal/" + UUID.randomUUID();
        List<String> at = List.of("--endpoints", endpoints);
        int failed = 0;
        for (String format : List.of("text", "json")) {
            String owner = UUID.randomUUID().toString();
            failed += run(at, "acquire", name, "--ttl", "1s", "--owner", owner, "-o", format);
            failed += run(at, "renew", name, "--owner", owner, "-o", format);
            failed += run(at, "get", name, "-o", format);
            failed += run(at, "list", name, "-o", format);
            failed += run(at, "release", name, "--owner", owner, "-o", format);
            failed += run(at, "cluster", "status", "-o", format);
        }
        System.exit(failed == 0 ? 0 : 1);
    }

    private static int run(List<String> at, String... words) {
        String[] all = Arrays.copyOf(words, words.length + at.size());
        for (int i = 0; i < at.size(); i++) {
            all[words.length + i] = at.get(i);
        }
        return Main.run(all);
    }

    private static Path folder(List<String> up) {
        int option = up.indexOf(DATA);
        if (option >= 0 && option + 1 < up.size()) {
            return Path.of(up.get(option + 1));
        }
        return up.stream()
                .filter(word -> word.startsWith(DATA + "="))
                .map(word -> Path.of(word.substring(DATA.length() + 1)))
                .findFirst()
                .orElseGet(() -> ClientOptions.localEndpoints().resolveSibling(""));
    }
}
