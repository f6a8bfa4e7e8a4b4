package io.holdfast.jepsen.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a JVM is started.
 *
 * @param java the executable
 * @param jvmArguments its options
 * @param classPath where the product's classes are
 */
public record JavaCommand(Path java, List<String> jvmArguments, String classPath) {
    /** Takes a copy. */
    public JavaCommand {
        jvmArguments = List.copyOf(jvmArguments);
    }

    /** {@return the JDK and the class path of this JVM, tests left out, with options for a node that shares two cores with others} */
    public static JavaCommand likeThisJvm() {
        return new JavaCommand(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xms64m",
                        "-Xmx256m"),
                // A node must not find what only tests bring, such as their log settings.
                filtered(System.getProperty("java.class.path"), name -> !name.equals("test-classes")));
    }

    /** {@return the same, reading its classes from this archive; without it, or with one that does not fit, it is only slower} */
    JavaCommand reading(Path archive) {
        return with("-XX:SharedArchiveFile=" + archive);
    }

    /** {@return the same with one more option of the JVM} */
    public JavaCommand with(String jvmArgument) {
        return new JavaCommand(
                java,
                Stream.concat(jvmArguments.stream(), Stream.of(jvmArgument)).toList(),
                classPath);
    }

    private static String filtered(String classPath, Predicate<String> keep) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .filter(entry -> keep.test(String.valueOf(Path.of(entry).getFileName())))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** {@return the whole command line} */
    List<String> running(String mainClass, String... arguments) {
        List<String> line = new ArrayList<>();
        line.add(java.toString());
        line.addAll(jvmArguments);
        line.add("-cp");
        line.add(classPath);
        line.add(mainClass);
        line.addAll(List.of(arguments));
        return line;
    }
}
