package io.holdfast.jepsen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The operator's guide knows every line that an operator may find in a log, and names only tests that there are. */
class OperatorsGuideTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> NODE = List.of("lock-server", "ratis-statemachine");

    private static final Pattern CALL = Pattern.compile("LOG\\.(?:warn|error)\\((.*?)\\);", Pattern.DOTALL);
    private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT|Properties))(?:\\.(\\w+))?`");

    private static String guide;

    @BeforeAll
    static void read() throws IOException {
        guide = Files.readString(ROOT.resolve("docs/operations.md"));
    }

    @Test
    void every_warning_and_error_of_a_node_stands_in_the_guide() {
        Set<String> missing = new TreeSet<>();
        NODE.forEach(module -> sources(ROOT.resolve(module).resolve("src/main/java"))
                .values()
                .forEach(source -> messages(source)
                        .filter(message -> !guide.contains("`" + message + "`"))
                        .forEach(missing::add)));

        assertThat(missing).isEmpty();
    }

    @Test
    void every_test_that_the_guide_names_exists() {
        Map<String, String> tests = new TreeMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .forEach(folder -> tests.putAll(sources(folder)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }

        assertThat(TEST.matcher(guide).results())
                .isNotEmpty()
                .allSatisfy(named -> assertThat(tests.getOrDefault(named.group(1), ""))
                        .as(named.group())
                        .contains("class " + named.group(1))
                        .contains(named.group(2) == null ? "" : " " + named.group(2) + "("));
    }

    /** {@return each file's text by its class} */
    private static Map<String, String> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            Map<String, String> sources = new TreeMap<>();
            for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
                sources.put(String.valueOf(file.getFileName()).replace(".java", ""), Files.readString(file));
            }
            return sources;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the guide must show of a source: the texts of its warnings and errors, with an ellipsis for each value. */
    private static Stream<String> messages(String source) {
        return CALL.matcher(source)
                .results()
                .map(call -> JOINED.matcher(call.group(1)).replaceAll(""))
                .flatMap(call -> LITERAL.matcher(call).results())
                .map(OperatorsGuideTest::text);
    }

    private static String text(MatchResult literal) {
        return literal.group(1).replace("{}", "…").replace("\\\"", "\"");
    }
}
