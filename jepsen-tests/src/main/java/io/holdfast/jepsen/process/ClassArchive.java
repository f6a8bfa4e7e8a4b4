package io.holdfast.jepsen.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What a JVM has read of a node's classes: halves the work of starting another. */
public final class ClassArchive {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private ClassArchive() {}

    /** {@return how a node is started, with an archive that was made when this was called first in this JVM} */
    public static JavaCommand quickJava() {
        return Rehearsed.JAVA;
    }

    /** Made once, by whoever asks first. */
    private static final class Rehearsed {
        static final JavaCommand JAVA = rehearse();
    }

    private static JavaCommand rehearse() {
        JavaCommand java = JavaCommand.likeThisJvm();
        try {
            Path folder = Files.createTempDirectory("holdfast-classes-");
            Path archive = folder.resolve("node.jsa");
            try (RealCluster one =
                    RealCluster.start(folder.resolve("cluster"), 1, java.with("-XX:ArchiveClassesAtExit=" + archive))) {
                one.leader().terminate(PATIENCE);
            }
            archive.toFile().deleteOnExit();
            folder.toFile().deleteOnExit();
            return java.reading(archive);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
