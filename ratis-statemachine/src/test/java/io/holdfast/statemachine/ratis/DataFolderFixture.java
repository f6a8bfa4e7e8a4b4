package io.holdfast.statemachine.ratis;

import static io.holdfast.statemachine.ratis.Replicas.acquire;

import io.holdfast.core.Command;
import io.holdfast.core.LockName;
import io.holdfast.core.Owner;
import io.holdfast.core.Request;
import io.holdfast.core.RequestId;
import io.holdfast.core.SessionId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** A data folder as a version of Holdfast left it: written once, and then kept as a zip. */
final class DataFolderFixture {
    private static final long MINUTE = 60_000_000_000L;

    private DataFolderFixture() {}

    /** Has a node write a folder with something of everything, before and after a snapshot; returns applied index and digest. */
    static String write(Path scratch, Path zip) throws Exception {
        String state;
        try (Replicas replicas = Replicas.start(scratch, 1)) {
            for (int i = 0; i < 10; i++) {
                replicas.commit(acquire("held/" + i, "owner-" + i));
                replicas.commit(acquire("released/" + i, "other-" + i));
                replicas.commit(release("released/" + i, "other-" + i));
            }
            var session = new SessionId(7, 1);
            var ended = new SessionId(7, 2);
            replicas.commit(
                    new Command.OpenSession(session, 0, MINUTE, "worker"),
                    new Command.OpenSession(ended, 0, MINUTE, ""));
            replicas.commit(ofSession(session, "held/by-session", 1, 0), ofSession(ended, "held/by-ended", 1, 0));
            replicas.commit(ofSession(session, "held/3", 2, MINUTE), new Command.CloseSession(ended));
            var unused = replicas.leader().node().takeSnapshot().get(60, TimeUnit.SECONDS);
            replicas.commit(acquire("held/after-the-snapshot", "owner"), release("held/0", "owner-0"));
            state = replicas.leader().state();
        }
        zip(scratch.resolve("n1"), zip);
        return state;
    }

    private static Command release(String lock, String owner) {
        return new Command.Release(
                new Owner.OneShot(owner),
                new LockName(lock),
                new Request.Identified(new RequestId(owner.hashCode(), lock.hashCode()), 0),
                Optional.empty());
    }

    private static Command ofSession(SessionId session, String lock, long number, long waitNanos) {
        return new Command.Acquire(
                new Owner.OfSession(session), new LockName(lock), new Request.Numbered(number, 0), 0, waitNanos, "");
    }

    private static void zip(Path folder, Path zip) throws IOException {
        try (Stream<Path> paths = Files.walk(folder);
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (Path file : paths.filter(Files::isRegularFile).sorted().toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                // What a node makes anew at each start.
                if (!name.matches(".*(/live/|/native/|/drafts/).*|.*in_use\\.lock")) {
                    out.putNextEntry(new ZipEntry(name));
                    Files.copy(file, out);
                    out.closeEntry();
                }
            }
        }
    }

    static void unzip(InputStream zip, Path folder) throws IOException {
        try (ZipInputStream in = new ZipInputStream(zip)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.resolveSibling("."));
                Files.copy(in, file);
            }
        }
    }
}
